/**
 * Dense product C = A·B, or A·Bᵀ with `transposeB`.
 *
 * Gradients: dA = G·Bᵀ, dB = Aᵀ·G; for A·Bᵀ: dA = G·B, dB = Gᵀ·A.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";
import { matmulTransposeA } from "./matmul-transpose-a.js";

interface Attributes {
  readonly transposeB: boolean;
}

export const matmulOp = defineOp<Attributes>({
  name: "matmul",
  outputs([a, b], { transposeB }) {
    requireShape(a.cols === (transposeB ? b.cols : b.rows), "matmul", [a, b]);
    return [{ rows: a.rows, cols: transposeB ? b.rows : b.cols }];
  },
  reference([a, b], [c], { transposeB }) {
    for (let i = 0; i < c.rows; i++) {
      for (let j = 0; j < c.cols; j++) {
        let sum = 0;
        for (let k = 0; k < a.cols; k++) {
          sum += a.data[i * a.cols + k] * (transposeB ? b.data[j * b.cols + k] : b.data[k * b.cols + j]);
        }
        c.data[i * c.cols + j] = sum;
      }
    }
  },
  gradient({ inputs: [a, b], gradients: [g], attributes: { transposeB } }) {
    if (g === undefined) return [undefined, undefined];
    // dB first: it is often the last to read A, whose place dA can then take
    const dB = transposeB ? matmulTransposeA(g, a) : matmulTransposeA(a, g);
    return [matmul(g, b, !transposeB), dB];
  },
  encode: ({ transposeB }) => [{ int: transposeB ? 1 : 0 }],
  work: ([a], [c]) => ({ dense: c.rows * c.cols * a.cols }),
});

/** A·B (or A·Bᵀ): [m, k] · [k, n] → [m, n]. */
export function matmul(a: Tensor, b: Tensor, transposeB = false): Tensor {
  return a.builder.apply(matmulOp, [a, b], { transposeB })[0];
}
