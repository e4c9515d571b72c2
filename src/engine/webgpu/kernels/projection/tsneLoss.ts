import { groupsOf, type Launch } from "../../kernel.js";
import { pairConstants, pairGroups, pairPhases } from "../../pairs.js";

/** Points of a workgroup of `attract`; as in the source. */
const POINTS = 16;

export const launch: Launch = {
  includes: ["matrix", "repulsion"],
  width: () => 1,
  constants: ({ inputs: [y] }) => pairConstants(y.rows),
  scratch: ({ inputs: [y] }) => ({ floats: pairGroups(y.rows) + groupsOf(y.rows, POINTS) }),
  phases: ({ inputs: [y] }) => [
    ...pairPhases(y.rows),
    { entry: "attract", workgroups: groupsOf(y.rows, POINTS) },
    { entry: "finish", workgroups: 1 },
  ],
};
