/**
 * Rows in the order of a permutation: Y[i] = X[π(i)].
 *
 * Gradient: dX = G permuted by the inverse permutation.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";
import type { Permutation } from "./shuffle-pair.js";

export const permuteRowsOp = defineOp<null>({
  name: "permuteRows",
  outputs([x, forward, inverse]) {
    requireShape(forward.rows === x.rows && inverse.rows === x.rows, "permuteRows", [x, forward, inverse]);
    return [{ rows: x.rows, cols: x.cols }];
  },
  reference([x, forward], [y]) {
    const { cols } = x;
    for (let i = 0; i < x.rows; i++) {
      for (let k = 0; k < cols; k++) y.data[i * cols + k] = x.data[forward.data[i] * cols + k];
    }
  },
  gradient({ inputs: [, forward, inverse], gradients: [g] }) {
    const dx = g === undefined ? undefined : permuteRows(g, { forward: inverse, inverse: forward });
    return [dx, undefined, undefined];
  },
});

/** [n, k] → [n, k], row i from row π(i). */
export function permuteRows(x: Tensor, { forward, inverse }: Permutation): Tensor {
  return x.builder.apply(permuteRowsOp, [x, forward, inverse], null)[0];
}
