/** Y = A ⊙ B, entry by entry. Gradients: dA = G ⊙ B, dB = G ⊙ A. */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

export const multiplyOp = defineOp<null>({
  name: "multiply",
  inPlace: 0,
  outputs([a, b]) {
    requireShape(a.rows === b.rows && a.cols === b.cols, "multiply", [a, b]);
    return [{ rows: a.rows, cols: a.cols }];
  },
  reference([a, b], [y]) {
    for (let i = 0; i < y.data.length; i++) y.data[i] = a.data[i] * b.data[i];
  },
  gradient({ inputs: [a, b], gradients: [g] }) {
    return g === undefined ? [undefined, undefined] : [multiply(g, b), multiply(g, a)];
  },
  partition: rowLocal(),
});

/** A ⊙ B, entry by entry; both have the same shape. */
export function multiply(a: Tensor, b: Tensor): Tensor {
  return a.builder.apply(multiplyOp, [a, b], null)[0];
}
