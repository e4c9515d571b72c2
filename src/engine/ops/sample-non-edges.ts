/**
 * Pairs (i, j), i ≠ j, that a square sparse matrix does not store, drawn uniformly by rejection.
 *
 * Try t of draw e takes words 2(t mod 2) and 2(t mod 2) + 1 of counter (e, ⌊t/2⌋): i among n nodes, j among the n − 1 others,
 * each by the upper half of a product. A stored entry is found by bisection of its row, and the next try is made, TRIES in
 * all; then both indices are MISSING, which of a matrix of density p happens with probability p^TRIES.
 */

import { multiplyHigh } from "../../core/rng.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import type { SparseOperator } from "../sparse.js";
import { MISSING } from "./missing.js";
import { drawBlock } from "./random-key.js";

interface Attributes {
  readonly matrix: SparseOperator;
  readonly rows: number;
}

/** Half of all pairs may be stored and one draw in 65,536 is lost. Even; the kernel has the same number. */
const TRIES = 16;

export const sampleNonEdgesOp = defineOp<Attributes>({
  name: "sampleNonEdges",
  outputs([key], { rows, matrix }) {
    requireShape(key.rows * key.cols === 2 && matrix.numRows === matrix.numColumns, "sampleNonEdges", [key]);
    const column = { rows, cols: 1, dtype: "index" } as const;
    return [column, column];
  },
  reference([key], [left, right], { matrix }) {
    const { numRows, rowStart, columns } = matrix;
    const block = new Uint32Array(4);
    for (let e = 0; e < left.data.length; e++) {
      left.data[e] = right.data[e] = MISSING;
      for (let t = 0; t < TRIES && numRows > 1; t++) {
        if (t % 2 === 0) drawBlock(block, key, e, t / 2);
        const i = multiplyHigh(block[2 * (t % 2)], numRows);
        const other = multiplyHigh(block[2 * (t % 2) + 1], numRows - 1);
        const j = other < i ? other : other + 1;
        if (columns.subarray(rowStart[i], rowStart[i + 1]).includes(j)) continue;
        left.data[e] = i;
        right.data[e] = j;
        break;
      }
    }
  },
  gradient: "draws have none",
  encode: ({ matrix }) => [{ sparse: matrix }],
});

/** `rows` pairs that are no entries of the matrix, as two columns [rows, 1]; MISSING where none was found. */
export function sampleNonEdges(key: Tensor, matrix: SparseOperator, rows: number): { left: Tensor; right: Tensor } {
  const [left, right] = key.builder.apply(sampleNonEdgesOp, [key], { matrix, rows });
  return { left, right };
}
