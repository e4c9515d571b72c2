/**
 * Draws stored entries of several sparse matrices, as (row, column, matrix). All entries of a matrix have the same probability;
 * an entry of a matrix with c copies has c times the probability of one with a single copy.
 *
 * Entries are numbered matrix after matrix, copy after copy. Draw e takes word e mod 4 of counter ⌊e/4⌋; its entry is the upper
 * half of the product of that word and the number of entries. The matrix is found by counting, the row by bisection of rowStart,
 * so nothing is stored per entry except the matrices. Without entries the draws are MISSING.
 */

import { UnsupportedError } from "../../core/errors.js";
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
  outputs([key, copies], { matrices, rows }) {
    requireShape(key.rows * key.cols === 2 && copies.rows === matrices.length, "sampleEntries", [key, copies]);
    const column = { rows, cols: 1, dtype: "index" } as const;
    return [column, column, column];
  },
  reference([key, copies], [row, column, matrix], { matrices }) {
    const block = new Uint32Array(4);
    const sizes = matrices.map(({ columns }, d) => columns.length * copies.data[d]);
    const size = sizes.reduce((sum, own) => sum + own, 0);
    for (let e = 0; e < row.data.length; e++) {
      if (e % 4 === 0) drawBlock(block, key, e / 4);
      const found =
        size === 0 ? [MISSING, MISSING, MISSING] : entryOf(matrices, sizes, multiplyHigh(block[e % 4], size));
      [row, column, matrix].forEach((output, k) => {
        output.data[e] = found[k];
      });
    }
  },
  gradient: "draws have none",
  encode: ({ matrices }) => [{ sparseList: matrices }],
});

/** Row, column and matrix of a numbered entry. */
function entryOf(
  matrices: readonly SparseOperator[],
  sizes: readonly number[],
  place: number,
): [number, number, number] {
  let d = 0;
  while (place >= sizes[d]) place -= sizes[d++];
  const { rowStart, columns } = matrices[d];
  const entry = place % columns.length;
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

/** `rows` stored entries, drawn independently; `copies` of each matrix, by default one. */
export function sampleEntries(
  key: Tensor,
  matrices: readonly SparseOperator[],
  rows: number,
  copies: readonly number[] = matrices.map(() => 1),
): SampledEntries {
  const places = matrices.reduce((sum, { columns }, d) => sum + columns.length * copies[d], 0);
  if (places >= 2 ** 32)
    throw new UnsupportedError(
      `edges: the relations have ${places} entries, copies included; sampling handles fewer than 2³². Leave out relations or edges.`,
    );
  const counts = key.builder.constant(Uint32Array.from(copies), copies.length, 1, "index");
  const [row, column, matrix] = key.builder.apply(sampleEntriesOp, [key, counts], { matrices, rows });
  return { row, column, matrix };
}
