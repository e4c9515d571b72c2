import { type Call, CHUNK_VALUES, groupsOf, type Launch } from "../../kernel.js";

/** Rows of a block of a short tensor; not tuned. */
const MIN_ROWS = 256;
/** Most blocks. */
const MAX_BLOCKS = 256;

/** Rows of a block: a power of two; sumRows.wgsl computes the same. */
function blockRows({ inputs: [x] }: Call): number {
  let rows = MIN_ROWS;
  while (rows * MAX_BLOCKS < x.rows) rows *= 2;
  return rows;
}

/** Columns that a workgroup sums; a power of two; sumRows.wgsl computes the same. */
function tile({ inputs: [x] }: Call): number {
  let columns = 1;
  while (columns < Math.min(x.cols, 32)) columns *= 2;
  return columns;
}

export const launch: Launch = {
  includes: ["chunkSums"],
  width: () => 1,
  scratch: (call) => ({ floats: groupsOf(call.inputs[0].rows, blockRows(call)) * call.inputs[0].cols }),
  phases: (call) => {
    const [x] = call.inputs;
    return [
      { entry: "run", workgroups: groupsOf(x.rows, blockRows(call)) * groupsOf(x.cols, tile(call)) },
      { entry: "finish", workgroups: groupsOf(x.cols, CHUNK_VALUES) },
    ];
  },
};
