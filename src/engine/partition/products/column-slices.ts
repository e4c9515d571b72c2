/**
 * Slices of the columns of a sparse product. Columns do not depend on each other, so a product with a large halo is computed slice by
 * slice: only one slice of the halo is in memory at a time.
 */

import { concatColumnsOp } from "../../ops/columns.js";
import type { KernelTensor, ProgramBuilder, Tensor } from "../../program.js";
import { partOp } from "../local-ops.js";
import type { SourceSlice } from "../rule.js";

/** Columns of a tile in the kernels of sparse products (../../wasm/assembly/sparse.ts): slices of whole tiles keep the bits of sums. */
export const TILE = 32;

/**
 * Largest halo, in bytes, that is stored in one piece after the own rows of its table, where it stays as long as the table does: a sixteenth of
 * the memory of a rank, because several tables have a halo at the same time. A larger halo is exchanged in slices of at most this size, or of
 * one tile. This takes longer: own rows are copied, and every slice reads the matrix.
 */
export const MAX_HALO_BYTES = 2 ** 28;

/** Columns first … first + cols − 1. */
export interface ColumnSlice {
  readonly first: number;
  readonly cols: number;
}

/** Equal slices of whole tiles; with `rows` rows each has at most `maxBytes` bytes, or one tile. */
export function columnSlices(cols: number, rows: number, maxBytes: number): ColumnSlice[] {
  const tiles = Math.ceil(cols / TILE);
  const tilesThatFit = Math.max(1, Math.floor(maxBytes / (4 * TILE * Math.max(1, rows))));
  if (cols * rows * 4 <= maxBytes || tiles <= 1) return [{ first: 0, cols }];
  const width = TILE * Math.ceil(tiles / Math.ceil(tiles / tilesThatFit));
  return Array.from({ length: Math.ceil(cols / width) }, (_, i) => ({
    first: i * width,
    cols: Math.min(width, cols - i * width),
  }));
}

/** The rows of a tensor as 32-bit words: a mask has one word for each tile. */
export function wordRows(tensor: Tensor): KernelTensor {
  const { rows, cols, dtype } = tensor;
  return { tensor, rows, cols: dtype === "mask" ? cols / TILE : cols, firstRow: 0 };
}

/** Results of slices, side by side. */
export function joinColumns(builder: ProgramBuilder, parts: readonly Tensor[]): Tensor {
  if (parts.length === 1) return parts[0];
  const [{ rows, dtype }] = parts;
  const cols = parts.reduce((sum, part) => sum + part.cols, 0);
  const join = partOp(concatColumnsOp, [{ rows, cols, dtype }], (inputs, [joined]) => ({
    phase: "run",
    outputs: [wordRows(joined)],
    inputs: inputs.map(wordRows),
  }));
  return builder.apply(join, parts, { count: parts.length })[0];
}

/** The outputs of a product that is computed slice by slice: slices of each output, side by side. */
export function bySlices(
  builder: ProgramBuilder,
  slices: readonly SourceSlice[],
  multiply: (source: Tensor, slice: SourceSlice) => readonly Tensor[],
): Tensor[] {
  const parts = slices.map((slice) => multiply(slice.source(), slice));
  return parts[0].map((_, k) =>
    joinColumns(
      builder,
      parts.map((outputs) => outputs[k]),
    ),
  );
}
