/** Softmax along each row. Gradient: dX = Y ⊙ (G − ⟨G, Y⟩ per row). */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

export const softmaxRowsOp = defineOp<null>({
  name: "softmaxRows",
  inPlace: 0,
  outputs: ([x]) => [{ rows: x.rows, cols: x.cols }],
  reference([x], [y]) {
    const { cols } = x;
    for (let i = 0; i < x.rows; i++) {
      let largest = -Infinity;
      for (let k = 0; k < cols; k++) largest = Math.max(largest, x.data[i * cols + k]);
      let sum = 0;
      for (let k = 0; k < cols; k++) sum += y.data[i * cols + k] = Math.exp(x.data[i * cols + k] - largest);
      for (let k = 0; k < cols; k++) y.data[i * cols + k] /= sum;
    }
  },
  gradient({ outputs: [y], gradients: [g] }) {
    return g === undefined ? [undefined] : [g.builder.apply(softmaxRowsGradientOp, [g, y], null)[0]];
  },
  partition: rowLocal(),
});

export const softmaxRowsGradientOp = defineOp<null>({
  name: "softmaxRowsGradient",
  inPlace: 0,
  outputs([g, y]) {
    requireShape(g.rows === y.rows && g.cols === y.cols, "softmaxRowsGradient", [g, y]);
    return [{ rows: g.rows, cols: g.cols }];
  },
  reference([g, y], [dx]) {
    const { cols } = g;
    for (let i = 0; i < g.rows; i++) {
      let dot = 0;
      for (let k = 0; k < cols; k++) dot += g.data[i * cols + k] * y.data[i * cols + k];
      for (let k = 0; k < cols; k++) dx.data[i * cols + k] = y.data[i * cols + k] * (g.data[i * cols + k] - dot);
    }
  },
  gradient: "second derivatives are not used",
  partition: rowLocal(),
});

/** e^x over the sum of its row, entry by entry. */
export function softmaxRows(x: Tensor): Tensor {
  return x.builder.apply(softmaxRowsOp, [x], null)[0];
}
