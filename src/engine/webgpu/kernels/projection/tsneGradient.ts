import { groupsOf, type Launch } from "../../kernel.js";
import { pairConstants, pairGroups, pairPhases } from "../../pairs.js";

/** Points of a workgroup of `finish`; as in the source. */
const POINTS = 16;

export const launch: Launch = {
  includes: ["matrix", "repulsion"],
  width: () => 1,
  constants: pairConstants,
  scratch: (call) => {
    const constants = pairConstants(call);
    return { floats: 2 * constants.CHUNKS * call.inputs[0].rows + pairGroups(call) + 1 };
  },
  phases: (call) => [
    ...pairPhases(call),
    { entry: "normalize", workgroups: 1 },
    { entry: "finish", workgroups: groupsOf(call.inputs[0].rows, POINTS) },
  ],
};
