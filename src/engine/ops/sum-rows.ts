/**
 * Sum over the rows, times a constant: y = s·Σ_i X[i], shape [1, n]. Rows are summed in fixed blocks, and the blocks in order.
 *
 * Gradient: every row of dX is s·G (`broadcastRow`).
 */

import { chunkRows } from "../partition/chunks.js";
import { sumOverRows } from "../partition/reduce-rule.js";
import { filledRows } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

interface SumAttributes {
  readonly factor: number;
}

export interface BroadcastAttributes extends SumAttributes {
  readonly rows: number;
}

export const sumRowsOp = defineOp<SumAttributes>({
  name: "sumRows",
  outputs: ([x]) => [{ rows: 1, cols: x.cols }],
  reference([x], [y], { factor }) {
    y.data.fill(0);
    for (let i = 0; i < x.data.length; i++) y.data[i % x.cols] += x.data[i];
    for (let j = 0; j < y.data.length; j++) y.data[j] *= factor;
  },
  gradient({ inputs: [x], gradients: [g], attributes: { factor } }) {
    return g === undefined ? [undefined] : [broadcastRow(g, x.rows, factor)];
  },
  encode: ({ factor }) => [{ float: factor }],
  partition: sumOverRows({ chunkRows: ([x]) => chunkRows(x.rows), partBytes: ([x]) => 4 * x.cols }),
});

export const broadcastRowOp = defineOp<BroadcastAttributes>({
  name: "broadcastRow",
  outputs([row], { rows }) {
    requireShape(row.rows === 1, "broadcastRow", [row]);
    return [{ rows, cols: row.cols }];
  },
  reference([row], [y], { factor }) {
    for (let i = 0; i < y.data.length; i++) y.data[i] = factor * row.data[i % row.cols];
  },
  gradient({ gradients: [g], attributes: { factor } }) {
    return g === undefined ? [undefined] : [sumRows(g, factor)];
  },
  encode: ({ factor }) => [{ float: factor }],
  partition: filledRows(),
});

/** factor·Σ_i X[i]: [m, n] → [1, n]. */
export function sumRows(x: Tensor, factor = 1): Tensor {
  return x.builder.apply(sumRowsOp, [x], { factor })[0];
}

/** Mean over the rows: [m, n] → [1, n]. */
export function meanRows(x: Tensor): Tensor {
  return sumRows(x, 1 / x.rows);
}

/** `rows` copies of a row, times a constant: [1, n] → [rows, n]. */
export function broadcastRow(row: Tensor, rows: number, factor = 1): Tensor {
  return row.builder.apply(broadcastRowOp, [row], { rows, factor })[0];
}
