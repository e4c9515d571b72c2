/** Sparse operators and their transposes. */

import { type ScaledCsr, transposeRows } from "../numeric/csr.js";
import type { FloatArray } from "../numeric/rows.js";

/** A constant sparse matrix M = diag(left)·(A + diagonal·I)·diag(right); `values` is present for weighted matrices only. */
export interface SparseOperator extends ScaledCsr<FloatArray> {
  /** Size of the matrix of which this is the rows of one rank. Kernels choose the form of their sums by it. */
  readonly whole?: { readonly numColumns: number; readonly numEntries: number };
}

/** From this number of columns on, kernels do not pack the source of a product (wasm/assembly/sparse.ts). */
export const FAR_ROWS = 65536;

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
