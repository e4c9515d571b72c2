/**
 * Dense products. `matmul`: C = A·B, or A·Bᵀ with `transposeB`. `matmulTransposeA`: C = Aᵀ·B with a long shared axis, the form of
 * weight gradients; rows are summed in fixed blocks, and the blocks in order. Both are in one file because each is the gradient
 * of the other.
 *
 * Gradients: of A·B dA = G·Bᵀ, dB = Aᵀ·G; of A·Bᵀ dA = G·B, dB = Gᵀ·A; of Aᵀ·B dA = B·Gᵀ, dB = A·G.
 */

import { chunkRows } from "../partition/chunks.js";
import { sumOverRows } from "../partition/reduce-rule.js";
import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

interface Attributes {
  readonly transposeB: boolean;
}

/** Largest number of entries of all partial products together, as in the kernel. */
const MAX_PARTIAL = 2 ** 23;

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
    // dB first: it is often the last op that reads A, and dA can then take A's place in memory
    const dB = transposeB ? matmulTransposeA(g, a) : matmulTransposeA(a, g);
    return [matmul(g, b, !transposeB), dB];
  },
  encode: ({ transposeB }) => [{ int: transposeB ? 1 : 0 }],
  work: ([a], [c]) => ({ dense: c.rows * c.cols * a.cols }),
  partition: rowLocal({ free: [1] }),
});

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
  partition: sumOverRows({
    chunkRows: ([a], [c]) => chunkRows(a.rows, Math.max(1, Math.floor(MAX_PARTIAL / Math.max(1, c.rows * c.cols)))),
    partBytes: (_, [c]) => 4 * c.rows * c.cols,
  }),
});

/** A·B (or A·Bᵀ): [m, k] · [k, n] → [m, n]. */
export function matmul(a: Tensor, b: Tensor, transposeB = false): Tensor {
  return a.builder.apply(matmulOp, [a, b], { transposeB })[0];
}

/** Aᵀ·B: [m, k]ᵀ · [m, n] → [k, n]. */
export function matmulTransposeA(a: Tensor, b: Tensor): Tensor {
  return a.builder.apply(matmulTransposeAOp, [a, b], null)[0];
}
