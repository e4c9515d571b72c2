/**
 * Pairs (i, j), i ≠ j, that a square sparse matrix without diagonal does not store: drawn uniformly, none twice.
 *
 * The free pairs are numbered 0 … F − 1, row by row. The numbers are cut into as many strata as there are draws, whose lengths
 * differ by at most one, and draw e takes one number of stratum e. Then the same random number is added to all of them, modulo F,
 * so that every pair has the same probability. The rows of successive draws ascend (with one jump back), which keeps reads close
 * together. Bisection finds the row of a number (F_i = i·(n − 1) − rowStart_i free pairs are before row i), then the column: the
 * number of free columns before the m-th stored column c_m is c_m − m, less one if c_m > i. With more draws than free pairs each
 * pair is drawn once, and the empty strata are MISSING.
 *
 * Numbers below w are ⌊u·w⌋ with u of 53 bits from two words: of counter ⌊e/2⌋ for draw e, of counter (0, 1) for the shift. All
 * numbers are whole and below 2⁵³, so every engine draws the same pairs up to 90 million nodes or draws.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";
import type { SparseOperator } from "../sparse.js";
import { MISSING } from "./missing.js";
import { drawBlock } from "./random-key.js";

interface Attributes {
  readonly matrix: SparseOperator;
  readonly rows: number;
}

export const sampleNonEdgesOp = defineOp<Attributes>({
  name: "sampleNonEdges",
  outputs([key], { rows, matrix }) {
    requireShape(key.rows * key.cols === 2 && matrix.numRows === matrix.numColumns, "sampleNonEdges", [key]);
    const column = { rows, cols: 1, dtype: "index" } as const;
    return [column, column];
  },
  reference([key], [left, right], { matrix }) {
    const { numRows, columns } = matrix;
    const draws = left.data.length;
    const block = new Uint32Array(4);
    const free = numRows * (numRows - 1) - columns.length;
    const shift = below(drawBlock(block, key, 0, 1), 0, free);
    const [quotient, rest] = [Math.floor(free / draws), free % draws];
    const start = (e: number) => e * quotient + Math.floor((e * rest) / draws);
    for (let e = 0; e < draws; e++) {
      if (e % 2 === 0) drawBlock(block, key, e / 2);
      const width = start(e + 1) - start(e);
      if (width === 0) {
        left.data[e] = right.data[e] = MISSING;
        continue;
      }
      const number = (start(e) + below(block, 2 * (e % 2), width) + shift) % free;
      const row = rowOf(matrix, number);
      left.data[e] = row;
      right.data[e] = columnOf(matrix, row, number - freeBefore(matrix, row));
    }
  },
  gradient: "draws have none",
  encode: ({ matrix }) => [{ sparse: matrix }],
});

/** Uniform whole number below `bound` from two words of a block. */
function below(block: Uint32Array, at: number, bound: number): number {
  const u = ((block[at] >>> 5) * 0x4000000 + (block[at + 1] >>> 6)) / 0x20000000000000;
  return Math.min(Math.floor(u * bound), bound - 1);
}

/** Free pairs in the rows before row i. */
function freeBefore({ numRows, rowStart }: SparseOperator, i: number): number {
  return i * (numRows - 1) - rowStart[i];
}

function rowOf(matrix: SparseOperator, number: number): number {
  let row = 0;
  while (freeBefore(matrix, row + 1) <= number) row++;
  return row;
}

/** The k-th column, from 0, that row i does not store. */
function columnOf({ numRows, rowStart, columns }: SparseOperator, i: number, k: number): number {
  const stored = new Set(columns.subarray(rowStart[i], rowStart[i + 1]));
  for (let j = 0; j < numRows; j++) if (j !== i && !stored.has(j) && k-- === 0) return j;
  return MISSING;
}

/** `rows` pairs that are no entries of the matrix, as two columns [rows, 1]; MISSING if there are fewer. */
export function sampleNonEdges(key: Tensor, matrix: SparseOperator, rows: number): { left: Tensor; right: Tensor } {
  const [left, right] = key.builder.apply(sampleNonEdgesOp, [key], { matrix, rows });
  return { left, right };
}
