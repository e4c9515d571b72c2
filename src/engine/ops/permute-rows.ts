/**
 * Rows in the order of a permutation: Y[i] = X[π(i)].
 *
 * Gradient: dX = G permuted by the inverse permutation.
 */

import { permutedRows } from "../partition/shuffle-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import type { Permutation } from "./shuffle-pair.js";

export const permuteRowsOp = defineOp<null>({
  name: "permuteRows",
  outputs([x, forward, inverse]) {
    // in a partitioned program rows of other ranks follow the own rows of X
    requireShape(forward.rows <= x.rows && inverse.rows === forward.rows, "permuteRows", [x, forward, inverse]);
    return [{ rows: forward.rows, cols: x.cols }];
  },
  reference([x, forward], [y]) {
    const { cols } = x;
    for (let i = 0; i < y.rows; i++) {
      for (let k = 0; k < cols; k++) y.data[i * cols + k] = x.data[forward.data[i] * cols + k];
    }
  },
  gradient({ inputs: [, forward, inverse], gradients: [g] }) {
    const dx = g === undefined ? undefined : permuteRows(g, { forward: inverse, inverse: forward });
    return [dx, undefined, undefined];
  },
  partition: permutedRows(1),
});

/** [n, k] → [n, k], row i from row π(i). */
export function permuteRows(x: Tensor, { forward, inverse }: Permutation): Tensor {
  return x.builder.apply(permuteRowsOp, [x, forward, inverse], null)[0];
}
