import { type Call, groupsOf, type Launch, matrixOf } from "../../kernel.js";
import {
  type Product,
  productConstants,
  productLaunch,
  productPhases,
  productScratch,
  productShape,
} from "./product-launch.js";

/** Rows whose sum one workgroup adds, at least; not tuned. */
const MIN_ROWS = 256;
/** Most blocks of rows. */
const MAX_BLOCKS = 1024;

/** Rows of a block of the sum for the bias: a power of two. */
function biasRows({ inputs: [g] }: Call): number {
  let rows = MIN_ROWS;
  while (rows * MAX_BLOCKS < g.rows) rows *= 2;
  return rows;
}

const productOf = (call: Call): Product => ({ matrices: [matrixOf(call)], x: call.inputs[0], isMasked: true });

export const launch: Launch = {
  ...productLaunch(["hubs"], productOf),
  constants: (call) => ({ ...productConstants(productOf(call)), BIAS_ROWS: biasRows(call) }),
  scratch: (call) => {
    const [g] = call.inputs;
    return { floats: productScratch(productOf(call)) + groupsOf(g.rows, biasRows(call)) * g.cols };
  },
  phases: (call) => {
    const [g] = call.inputs;
    const product = productOf(call);
    const { tiles } = productShape(product);
    const others = groupsOf(g.rows, biasRows(call)) * tiles;
    return [...productPhases(product, others), { entry: "finish", workgroups: tiles }];
  },
};
