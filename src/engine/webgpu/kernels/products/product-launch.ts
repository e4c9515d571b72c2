/** How sparse products divide their rows among threads (included/product.wgsl). */

import { largestOf } from "../../../../numeric/extremes.js";
import type { Tensor } from "../../../program.js";
import type { SparseOperator } from "../../../sparse.js";
import { type Call, groupsOf, type Launch, type Phase, rowWidth, THREADS } from "../../kernel.js";
import { HUB_ENTRIES, hubsOf } from "../../stored-arrays.js";

/** Most threads for the columns of a row: 128 columns with vector loads. Wider rows are computed in tiles. */
const MAX_LANES = { 4: 32, 1: 64 };
/** Entries of a row, on average, that one group of lanes adds; not tuned. */
const ENTRIES_PER_PART = 16;
/**
 * Most threads that share a row. With 256 instead of 32 an epoch on STRING (344 entries in a row) took 3.8 instead of 3.1 ms, with 16 or fewer
 * at least 3.5 ms (H200, 2026-11-19).
 */
const ROW_THREADS = 32;
/**
 * Entries of a row, on average, from which the source is packed: scaled and without its mask. It is then read so often that this takes less
 * time than reading scales and masks with every entry: STRING 3.2 instead of 3.8 ms. The same graph with 32 entries in a row: 0.94 instead of 0.91 ms.
 */
const MIN_PACKED_ENTRIES = 64;
/** Largest packed sources of a product, in bytes: larger ones do not fit into the caches. Not tuned. */
const MAX_PACKED_BYTES = 2 ** 25;

/** A sparse product: the rows of X are added, and the result is as wide. */
export interface Product {
  readonly matrices: readonly SparseOperator[];
  readonly x: Tensor;
  /** Whether a mask hides entries of X. */
  readonly isMasked?: boolean;
  /** Whether entries have values that only the kernel knows. */
  readonly hasValues?: boolean;
}

export interface ProductShape {
  readonly lanes: number;
  readonly parts: number;
  readonly tiles: number;
  /** Workgroups for all rows and tiles. */
  readonly rowGroups: number;
}

export function productShape({ matrices, x }: Product): ProductShape {
  const width = rowWidth(x);
  const rowValues = x.cols / width;
  const lanes = Math.min(powerOfTwo(rowValues), MAX_LANES[width]);
  const parts = Math.min(powerOfTwo(entriesPerRow(matrices) / ENTRIES_PER_PART), Math.max(1, ROW_THREADS / lanes));
  const tiles = groupsOf(rowValues, lanes);
  return { lanes, parts, tiles, rowGroups: groupsOf(matrices[0].numRows, THREADS / (lanes * parts)) * tiles };
}

/** Of the matrix with most entries. */
function entriesPerRow(matrices: readonly SparseOperator[]): number {
  return largestOf(matrices.map(({ columns, numRows }) => columns.length / Math.max(1, numRows)));
}

/** The smallest power of two that is at least `n`. */
function powerOfTwo(n: number): number {
  let power = 1;
  while (power < n) power *= 2;
  return power;
}

/** Whether the source is packed. Entries with values of their own need a factor anyway. */
function isPacked(product: Product): boolean {
  const { matrices, isMasked = false, hasValues = false } = product;
  return (
    entriesPerRow(matrices) >= MIN_PACKED_ENTRIES &&
    (isMasked || matrices.some(({ right }) => right !== undefined)) &&
    !(hasValues || matrices.some(({ values }) => values !== undefined)) &&
    4 * packedFloats(product) <= MAX_PACKED_BYTES
  );
}

function packedFloats({ matrices, x }: Product): number {
  return matrices.length * matrices[0].numColumns * x.cols;
}

export function productConstants(product: Product): Readonly<Record<string, number>> {
  const { matrices, hasValues = false } = product;
  const { lanes, parts } = productShape(product);
  const packed = isPacked(product);
  const weighted = hasValues || matrices.some(({ values, right }) => values !== undefined || right !== undefined);
  return { LANES: lanes, PARTS: parts, HUB_ENTRIES, PACKED: packed ? 1 : 0, WEIGHTED: weighted && !packed ? 1 : 0 };
}

/** Floats of scratch space: the packed sources, then the sums of the chunks of long rows. */
export function productScratch(product: Product): number {
  return (isPacked(product) ? packedFloats(product) : 0) + numChunks(product) * product.x.cols;
}

/** Chunks of the long rows of all matrices. */
function numChunks({ matrices }: Product): number {
  return matrices.reduce((sum, matrix) => sum + hubsOf(matrix).chunks.length / 3, 0);
}

/**
 * The packed sources and the sums of the chunks of long rows, if there are any, then the rows. `others`: workgroups for other work of the
 * phase `run`.
 */
export function productPhases(product: Product, others = 0): readonly Phase[] {
  const { matrices, x } = product;
  const { tiles, rowGroups } = productShape(product);
  const perMatrix = isPacked(product) ? groupsOf(packedFloats(product) / matrices.length / rowWidth(x), THREADS) : 0;
  return [
    { entry: "pack", workgroups: matrices.length * perMatrix },
    { entry: "hubs", workgroups: numChunks(product) * tiles },
    { entry: "run", workgroups: rowGroups + others },
  ];
}

/** The launch of a product without other work or results. */
export function productLaunch(includes: readonly string[], productOf: (call: Call) => Product): Launch {
  return {
    includes: ["matrix", "product", ...includes],
    width: (call) => rowWidth(productOf(call).x),
    constants: (call) => productConstants(productOf(call)),
    scratch: (call) => ({ floats: productScratch(productOf(call)) }),
    phases: (call) => productPhases(productOf(call)),
  };
}
