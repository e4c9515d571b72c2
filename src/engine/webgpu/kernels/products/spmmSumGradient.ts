import { groupsOf, type Launch, matricesOf, rowWidth } from "../../kernel.js";
import { numChunks, productConstants, productPhases, productShape, rowGroups } from "./product-launch.js";

export const launch: Launch = {
  includes: ["matrix", "product", "plainSource", "listHubs"],
  width: ({ inputs: [, , g] }) => rowWidth(g),
  constants: (call) => productConstants(matricesOf(call), call.inputs[2]),
  scratch: (call) => {
    const [, , g] = call.inputs;
    const matrices = matricesOf(call);
    const dots = rowGroups(productShape(matrices, g)) * matrices.length;
    return { floats: numChunks(matrices) * g.cols + dots * rowWidth(g) };
  },
  phases: (call) => {
    const [, , g] = call.inputs;
    const matrices = matricesOf(call);
    return [...productPhases(matrices, g), { entry: "finish", workgroups: groupsOf(matrices.length, rowWidth(g)) }];
  },
};
