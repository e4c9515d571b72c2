/**
 * Sparse product Y = M·X with a constant M = diag(left)(A + cI)diag(right).
 *
 * Gradient: dX = Mᵀ·G. M has none; `spmmSum` has learnt weights of several matrices.
 */

import { multiplySparse } from "../../numeric/csr.js";
import { sparseProduct } from "../partition/products/sparse-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { type SparseOperator, transposeOperator } from "../sparse.js";

interface Attributes {
  readonly matrix: SparseOperator;
}

export const spmmOp = defineOp<Attributes>({
  name: "spmm",
  outputs([x], { matrix }) {
    requireShape(x.rows === matrix.numColumns, "spmm", [x]);
    return [{ rows: matrix.numRows, cols: x.cols }];
  },
  reference([x], [y], { matrix }) {
    multiplySparse(matrix, x.data, x.cols, y.data);
  },
  gradient({ gradients: [g], attributes: { matrix } }) {
    return g === undefined ? [undefined] : [spmm(transposeOperator(matrix), g)];
  },
  encode: ({ matrix }) => [{ sparse: matrix }],
  partition: sparseProduct(),
});

/** M·X: [m, n] · [n, k] → [m, k]. */
export function spmm(matrix: SparseOperator, x: Tensor): Tensor {
  return x.builder.apply(spmmOp, [x], { matrix })[0];
}
