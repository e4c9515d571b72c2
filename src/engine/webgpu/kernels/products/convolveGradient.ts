import { type Call, groupsOf, type Launch, matrixOf, rowWidth } from "../../kernel.js";
import { numChunks, productConstants, productPhases, productShape } from "./product-launch.js";

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

export const launch: Launch = {
  includes: ["matrix", "product", "hubs"],
  width: ({ inputs: [g] }) => rowWidth(g),
  constants: (call) => ({ ...productConstants([matrixOf(call)], call.inputs[0]), BIAS_ROWS: biasRows(call) }),
  scratch: (call) => {
    const [g] = call.inputs;
    return { floats: (numChunks([matrixOf(call)]) + groupsOf(g.rows, biasRows(call))) * g.cols };
  },
  phases: (call) => {
    const [g] = call.inputs;
    const { tiles } = productShape([matrixOf(call)], g);
    const others = groupsOf(g.rows, biasRows(call)) * tiles;
    return [...productPhases([matrixOf(call)], g, others), { entry: "finish", workgroups: tiles }];
  },
};
