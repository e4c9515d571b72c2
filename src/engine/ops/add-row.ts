/** Y[i] = X[i] + b for every row i: a bias. Gradients: dX = G, db = Σ_i G[i]. */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { sumRows } from "./sum-rows.js";

export const addRowOp = defineOp<null>({
  name: "addRow",
  inPlace: 0,
  outputs([x, row]) {
    requireShape(row.rows === 1 && row.cols === x.cols, "addRow", [x, row]);
    return [{ rows: x.rows, cols: x.cols }];
  },
  reference([x, row], [y]) {
    for (let i = 0; i < y.data.length; i++) y.data[i] = x.data[i] + row.data[i % x.cols];
  },
  gradient({ gradients: [g] }) {
    return g === undefined ? [undefined, undefined] : [g, sumRows(g)];
  },
  partition: rowLocal(),
});

/** X + 1·b: [m, n] + [1, n]. */
export function addRow(x: Tensor, row: Tensor): Tensor {
  return x.builder.apply(addRowOp, [x, row], null)[0];
}
