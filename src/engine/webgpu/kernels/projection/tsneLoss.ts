import { groupsOf, type Launch } from "../../kernel.js";
import { pairConstants, pairGroups, pairPhases } from "../../pairs.js";

/** Points of a workgroup of `attract`; as in the source. */
const POINTS = 16;

export const launch: Launch = {
  includes: ["matrix", "repulsion"],
  width: () => 1,
  constants: pairConstants,
  scratch: (call) => ({ floats: pairGroups(call) + groupsOf(call.inputs[0].rows, POINTS) }),
  phases: (call) => [
    ...pairPhases(call),
    { entry: "attract", workgroups: groupsOf(call.inputs[0].rows, POINTS) },
    { entry: "finish", workgroups: 1 },
  ],
};
