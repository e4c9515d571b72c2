/**
 * Rows scaled to length one: y = s·x with s = 1/‖x‖, rows of zeros unchanged (`normalizeRows`); or s = 1/max(1, ‖x‖), which changes
 * only rows longer than one (`clipRows`). Outputs: Y, and the factors s [n, 1].
 *
 * Gradient: dx = s·(g − ⟨g, y⟩·y); dx = g for rows that were not clipped, 0 for rows of zeros.
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

interface Attributes {
  /** Change only rows longer than one. */
  readonly clip: boolean;
}

const encode = ({ clip }: Attributes) => [{ int: clip ? 1 : 0 }];

export const normalizeRowsOp = defineOp<Attributes>({
  name: "normalizeRows",
  outputs: ([x]) => [
    { rows: x.rows, cols: x.cols },
    { rows: x.rows, cols: 1 },
  ],
  reference([x], [y, factors], { clip }) {
    for (let i = 0; i < x.rows; i++) {
      const row = x.data.subarray(i * x.cols, (i + 1) * x.cols);
      const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
      // NaN passes through: hiding it would hide a diverged run
      factors.data[i] = clip ? 1 / Math.max(1, norm) : norm === 0 ? 0 : 1 / norm;
      for (let k = 0; k < x.cols; k++) y.data[i * x.cols + k] = factors.data[i] * row[k];
    }
  },
  gradient({ outputs: [y, factors], gradients: [g], attributes }) {
    return g === undefined ? [undefined] : [g.builder.apply(normalizeRowsGradientOp, [g, y, factors], attributes)[0]];
  },
  encode,
  partition: rowLocal(),
});

export const normalizeRowsGradientOp = defineOp<Attributes>({
  name: "normalizeRowsGradient",
  inPlace: 0,
  outputs([g, y, factors]) {
    requireShape(g.rows === y.rows && g.cols === y.cols, "normalizeRowsGradient", [g, y, factors]);
    return [{ rows: g.rows, cols: g.cols }];
  },
  reference([g, y, factors], [dx], { clip }) {
    const { cols } = g;
    for (let i = 0; i < g.rows; i++) {
      const factor = factors.data[i];
      let along = 0;
      for (let k = 0; k < cols; k++) along += g.data[i * cols + k] * y.data[i * cols + k];
      if (clip && factor === 1) along = 0;
      for (let k = 0; k < cols; k++)
        dx.data[i * cols + k] = factor * (g.data[i * cols + k] - along * y.data[i * cols + k]);
    }
  },
  gradient: "second derivatives are not used",
  encode,
  partition: rowLocal(),
});

/** x/‖x‖ row by row; rows of zeros stay zero. */
export function normalizeRows(x: Tensor): Tensor {
  return x.builder.apply(normalizeRowsOp, [x], { clip: false })[0];
}

/** x/max(1, ‖x‖) row by row. */
export function clipRows(x: Tensor): Tensor {
  return x.builder.apply(normalizeRowsOp, [x], { clip: true })[0];
}
