/** How sparse products divide their rows among threads (included/product.wgsl). */

import type { Tensor } from "../../../program.js";
import type { SparseOperator } from "../../../sparse.js";
import { groupsOf, type Phase, rowWidth, THREADS } from "../../kernel.js";
import { HUB_ENTRIES, hubsOf } from "../../stored-arrays.js";

/** Most threads for the columns of a row: 128 columns with vector loads. Wider rows are computed in tiles. */
const MAX_LANES = { 4: 32, 1: 64 };
/** Entries of a row, on average, that one group of lanes adds; not tuned. */
const ENTRIES_PER_PART = 16;
const MAX_PARTS = 8;

export interface ProductShape {
  readonly width: 1 | 4;
  readonly lanes: number;
  readonly parts: number;
  /** Values of a row. */
  readonly rowValues: number;
  readonly tiles: number;
  readonly numRows: number;
}

/** The shape of a product of matrices with the columns of `x`; `x` and the result have the same width. */
export function productShape(matrices: readonly SparseOperator[], x: Tensor): ProductShape {
  const width = rowWidth(x);
  const rowValues = x.cols / width;
  const lanes = Math.min(powerOfTwo(rowValues), MAX_LANES[width]);
  const { numRows } = matrices[0];
  const longest = matrices.reduce((max, { columns }) => Math.max(max, columns.length), 0);
  const perRow = longest / Math.max(1, numRows);
  const parts = Math.min(powerOfTwo(perRow / ENTRIES_PER_PART), MAX_PARTS, THREADS / lanes);
  return { width, lanes, parts, rowValues, tiles: groupsOf(rowValues, lanes), numRows };
}

/** The smallest power of two that is at least `n`. */
function powerOfTwo(n: number): number {
  let power = 1;
  while (power < n) power *= 2;
  return power;
}

export function productConstants(matrices: readonly SparseOperator[], x: Tensor): Readonly<Record<string, number>> {
  const { lanes, parts } = productShape(matrices, x);
  const weighted = matrices.some(({ values, right }) => values !== undefined || right !== undefined);
  return { LANES: lanes, PARTS: parts, HUB_ENTRIES, WEIGHTED: weighted ? 1 : 0 };
}

/** Chunks of the long rows of all matrices. */
export function numChunks(matrices: readonly SparseOperator[]): number {
  return matrices.reduce((sum, matrix) => sum + hubsOf(matrix).chunks.length / 3, 0);
}

/** Workgroups for all rows and tiles. */
export function rowGroups({ numRows, lanes, parts, tiles }: ProductShape): number {
  return groupsOf(numRows, THREADS / (lanes * parts)) * tiles;
}

/** The sums of the chunks of long rows, if there are any, then the rows; `others`: workgroups for other work of the phase `run`. */
export function productPhases(matrices: readonly SparseOperator[], x: Tensor, others = 0): readonly Phase[] {
  const shape = productShape(matrices, x);
  return [
    { entry: "hubs", workgroups: numChunks(matrices) * shape.tiles },
    { entry: "run", workgroups: rowGroups(shape) + others },
  ];
}
