import { type Launch, matrixOf, rowWidth } from "../../kernel.js";
import { numChunks, productConstants, productPhases } from "./product-launch.js";

export const launch: Launch = {
  includes: ["matrix", "product", "plainSource", "hubs"],
  width: ({ inputs: [x] }) => rowWidth(x),
  constants: (call) => productConstants([matrixOf(call)], call.inputs[0]),
  scratch: (call) => ({ floats: numChunks([matrixOf(call)]) * call.inputs[0].cols }),
  phases: (call) => productPhases([matrixOf(call)], call.inputs[0]),
};
