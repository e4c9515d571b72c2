/**
 * Learnt combination of sparse matrices applied to X: Y = Σ_d w_d·(M_d·X), w of shape [1, D].
 *
 * No union matrix is formed. With Q_d = M_dᵀ·G, which dX = Σ_d w_d·Q_d needs anyway, ∂w_d = ⟨Q_d, X⟩: one dot product
 * per matrix (`spmmSumGradient`, one pass for both).
 */

import { multiplySparse } from "../../numeric/csr.js";
import { sparseSum, sparseSumGradient } from "../partition/products/sparse-sum-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { type SparseOperator, transposeOperator } from "../sparse.js";

interface Attributes {
  readonly matrices: readonly SparseOperator[];
}

export const spmmSumOp = defineOp<Attributes>({
  name: "spmmSum",
  outputs([weights, x], { matrices }) {
    requireShape(weights.rows === 1 && weights.cols === matrices.length, "spmmSum", [weights, x]);
    requireShape(x.rows === matrices[0].numColumns, "spmmSum", [weights, x]);
    return [{ rows: matrices[0].numRows, cols: x.cols }];
  },
  reference([weights, x], [y], { matrices }) {
    const part = new Float64Array(y.data.length);
    y.data.fill(0);
    matrices.forEach((matrix, d) => {
      multiplySparse(matrix, x.data, x.cols, part);
      for (let i = 0; i < part.length; i++) y.data[i] += weights.data[d] * part[i];
    });
  },
  gradient({ inputs: [weights, x], gradients: [g], attributes: { matrices } }) {
    if (g === undefined) return [undefined, undefined];
    const [dx, dWeights] = g.builder.apply(spmmSumGradientOp, [weights, x, g], {
      matrices: matrices.map(transposeOperator),
    });
    return [dWeights, dx];
  },
  encode: ({ matrices }) => [{ sparseList: matrices }],
  partition: sparseSum(),
});

/** Outputs (dX, dw) from (w, X, G) and the transposed matrices. */
export const spmmSumGradientOp = defineOp<Attributes>({
  name: "spmmSumGradient",
  outputs([weights, x, g], { matrices }) {
    requireShape(g.rows === matrices[0].numColumns && g.cols === x.cols, "spmmSumGradient", [weights, x, g]);
    return [
      { rows: x.rows, cols: x.cols },
      { rows: 1, cols: weights.cols },
    ];
  },
  reference([weights, x, g], [dx, dWeights], { matrices }) {
    const q = new Float64Array(dx.data.length);
    dx.data.fill(0);
    matrices.forEach((matrix, d) => {
      multiplySparse(matrix, g.data, g.cols, q);
      let dot = 0;
      for (let i = 0; i < q.length; i++) {
        dx.data[i] += weights.data[d] * q[i];
        dot += q[i] * x.data[i];
      }
      dWeights.data[d] = dot;
    });
  },
  gradient: "second derivatives are not used",
  encode: ({ matrices }) => [{ sparseList: matrices }],
  partition: sparseSumGradient(),
});

/** Σ_d w_d·M_d·X. */
export function spmmSum(matrices: readonly SparseOperator[], weights: Tensor, x: Tensor): Tensor {
  return x.builder.apply(spmmSumOp, [weights, x], { matrices })[0];
}
