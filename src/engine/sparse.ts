/** Sparse operators and their transposes. */

import { type ScaledCsr, transposeRows } from "../numeric/csr.js";
import type { FloatArray } from "../numeric/rows.js";

/** A constant sparse matrix M = diag(left)·(A + diagonal·I)·diag(right); `values` is present for weighted matrices only. */
export type SparseOperator = ScaledCsr<FloatArray>;

const transposes = new WeakMap<SparseOperator, SparseOperator>();

/** Mᵀ, made once per operator. A symmetric A is shared, not copied. */
export function transposeOperator(matrix: SparseOperator): SparseOperator {
  const known = transposes.get(matrix);
  if (known !== undefined) return known;
  const transposed = makeTranspose(matrix);
  transposes.set(matrix, transposed);
  transposes.set(transposed, matrix);
  return transposed;
}

function makeTranspose(matrix: SparseOperator): SparseOperator {
  if (matrix.symmetric) {
    if (matrix.left === matrix.right) return matrix;
    return { ...matrix, left: matrix.right, right: matrix.left };
  }
  return {
    numRows: matrix.numColumns,
    numColumns: matrix.numRows,
    ...transposeRows(matrix, matrix.numColumns),
    left: matrix.right,
    right: matrix.left,
    diagonal: matrix.diagonal,
    symmetric: false,
  };
}
