/** Y = s·X with a constant s. Gradient: s·G. */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, type Tensor } from "../program.js";

interface Attributes {
  readonly factor: number;
}

export const scaleOp = defineOp<Attributes>({
  name: "scale",
  inPlace: 0,
  outputs: ([x]) => [{ rows: x.rows, cols: x.cols }],
  reference([x], [y], { factor }) {
    for (let i = 0; i < y.data.length; i++) y.data[i] = factor * x.data[i];
  },
  gradient({ gradients: [g], attributes: { factor } }) {
    return g === undefined ? [undefined] : [scale(g, factor)];
  },
  encode: ({ factor }) => [{ float: factor }],
  partition: rowLocal(),
});

/** X times a number. */
export function scale(x: Tensor, factor: number): Tensor {
  return factor === 1 ? x : x.builder.apply(scaleOp, [x], { factor })[0];
}
