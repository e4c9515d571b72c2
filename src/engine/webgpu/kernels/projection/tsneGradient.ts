import { groupsOf, type Launch } from "../../kernel.js";
import { numParts, pairConstants, pairGroups, pairPhases } from "../../pairs.js";

/** Points of a workgroup of `finish`; as in the source. */
const POINTS = 16;

export const launch: Launch = {
  includes: ["matrix", "repulsion"],
  width: () => 1,
  constants: ({ inputs: [y] }) => pairConstants(y.rows),
  scratch: ({ inputs: [y] }) => ({ floats: 2 * numParts(y.rows) * y.rows + pairGroups(y.rows) + 1 }),
  phases: ({ inputs: [y] }) => [
    ...pairPhases(y.rows),
    { entry: "normalize", workgroups: 1 },
    { entry: "finish", workgroups: groupsOf(y.rows, POINTS) },
  ],
};
