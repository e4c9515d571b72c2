/**
 * Dense product C = Aᵀ·B with a long shared axis: weight gradients. Rows are summed in fixed blocks, the blocks in order.
 *
 * Gradients: dA = B·Gᵀ, dB = A·G.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";
import { matmul } from "./matmul.js";

export const matmulTransposeAOp = defineOp<null>({
  name: "matmulTransposeA",
  outputs([a, b]) {
    requireShape(a.rows === b.rows, "matmulTransposeA", [a, b]);
    return [{ rows: a.cols, cols: b.cols }];
  },
  reference([a, b], [c]) {
    for (let i = 0; i < c.rows; i++) {
      for (let j = 0; j < c.cols; j++) {
        let sum = 0;
        for (let k = 0; k < a.rows; k++) sum += a.data[k * a.cols + i] * b.data[k * b.cols + j];
        c.data[i * c.cols + j] = sum;
      }
    }
  },
  gradient({ inputs: [a, b], gradients: [g] }) {
    return g === undefined ? [undefined, undefined] : [matmul(b, g, true), matmul(a, g)];
  },
  work: ([a], [c]) => ({ dense: c.rows * c.cols * a.rows }),
});

/** Aᵀ·B: [m, k]ᵀ · [m, n] → [k, n]. */
export function matmulTransposeA(a: Tensor, b: Tensor): Tensor {
  return a.builder.apply(matmulTransposeAOp, [a, b], null)[0];
}
