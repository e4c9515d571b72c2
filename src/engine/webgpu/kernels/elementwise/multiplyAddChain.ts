import { groupsOf, type Launch, sizeOf } from "../../kernel.js";

/** Pairs of a workgroup: 256 threads, four pairs each. */
const PAIRS = 1024;

export const launch: Launch = {
  width: () => 1,
  // one workgroup copies a single entry
  phases: ({ inputs: [x] }) => [{ entry: "run", workgroups: groupsOf(Math.ceil(sizeOf(x) / 2), PAIRS) }],
};
