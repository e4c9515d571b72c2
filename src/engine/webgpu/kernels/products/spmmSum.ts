import { type Launch, matricesOf, rowWidth } from "../../kernel.js";
import { numChunks, productConstants, productPhases } from "./product-launch.js";

export const launch: Launch = {
  includes: ["matrix", "product", "plainSource", "listHubs"],
  width: ({ inputs: [, x] }) => rowWidth(x),
  constants: (call) => productConstants(matricesOf(call), call.inputs[1]),
  scratch: (call) => ({ floats: numChunks(matricesOf(call)) * call.inputs[1].cols }),
  phases: (call) => productPhases(matricesOf(call), call.inputs[1]),
};
