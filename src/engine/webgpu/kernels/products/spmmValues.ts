import { type Launch, matrixOf } from "../../kernel.js";
import { productConstants } from "./product-launch.js";
import { launch as spmm } from "./spmm.js";

export const launch: Launch = {
  ...spmm,
  constants: (call) => ({ ...productConstants([matrixOf(call)], call.inputs[0]), WEIGHTED: 1 }),
};
