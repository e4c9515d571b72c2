/**
 * Draws among the stored entries of several sparse matrices, all with the same chance, as (row, column, matrix).
 *
 * Entries are numbered matrix after matrix; draw e takes word e mod 4 of counter ⌊e/4⌋, and its entry is the upper half of the
 * product of that word and the number of entries. The matrix is found by counting, the row by bisection of rowStart: nothing
 * is stored per entry beside the matrices. No entries: MISSING.
 */

import { multiplyHigh } from "../../core/rng.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import type { SparseOperator } from "../sparse.js";
import { MISSING } from "./missing.js";
import { drawBlock } from "./random-key.js";

interface Attributes {
  readonly matrices: readonly SparseOperator[];
  readonly rows: number;
}

export const sampleEntriesOp = defineOp<Attributes>({
  name: "sampleEntries",
  outputs([key], { rows }) {
    requireShape(key.rows * key.cols === 2, "sampleEntries", [key]);
    const column = { rows, cols: 1, dtype: "index" } as const;
    return [column, column, column];
  },
  reference([key], [row, column, matrix], { matrices }) {
    const block = new Uint32Array(4);
    const size = matrices.reduce((sum, { columns }) => sum + columns.length, 0);
    for (let e = 0; e < row.data.length; e++) {
      if (e % 4 === 0) drawBlock(block, key, e / 4);
      const found = size === 0 ? [MISSING, MISSING, MISSING] : entryOf(matrices, multiplyHigh(block[e % 4], size));
      [row, column, matrix].forEach((output, k) => {
        output.data[e] = found[k];
      });
    }
  },
  gradient: "draws have none",
  encode: ({ matrices }) => [{ sparseList: matrices }],
});

/** Row, column and matrix of a numbered entry. */
function entryOf(matrices: readonly SparseOperator[], entry: number): [number, number, number] {
  let d = 0;
  while (entry >= matrices[d].columns.length) entry -= matrices[d++].columns.length;
  const { rowStart, columns } = matrices[d];
  let row = 0;
  while (rowStart[row + 1] <= entry) row++;
  return [row, columns[entry], d];
}

export interface SampledEntries {
  /** [rows, 1] each. */
  readonly row: Tensor;
  readonly column: Tensor;
  readonly matrix: Tensor;
}

/** `rows` stored entries drawn independently, all with the same chance. */
export function sampleEntries(key: Tensor, matrices: readonly SparseOperator[], rows: number): SampledEntries {
  const [row, column, matrix] = key.builder.apply(sampleEntriesOp, [key], { matrices, rows });
  return { row, column, matrix };
}
