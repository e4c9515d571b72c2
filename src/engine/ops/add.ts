/**
 * Y = A + s·B, entry by entry; s is a constant. The result may take A's place in memory.
 *
 * Gradients: dA = G, dB = s·G.
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { scale } from "./scale.js";

interface Attributes {
  readonly factor: number;
}

export const addOp = defineOp<Attributes>({
  name: "add",
  inPlace: 0,
  outputs([a, b]) {
    requireShape(a.rows === b.rows && a.cols === b.cols, "add", [a, b]);
    return [{ rows: a.rows, cols: a.cols }];
  },
  reference([a, b], [y], { factor }) {
    for (let i = 0; i < y.data.length; i++) y.data[i] = a.data[i] + factor * b.data[i];
  },
  gradient({ gradients: [g], attributes: { factor } }) {
    return g === undefined ? [undefined, undefined] : [g, scale(g, factor)];
  },
  encode: ({ factor }) => [{ float: factor }],
  partition: rowLocal(),
});

/** A + factor·B. */
export function add(a: Tensor, b: Tensor, factor = 1): Tensor {
  return a.builder.apply(addOp, [a, b], { factor })[0];
}
