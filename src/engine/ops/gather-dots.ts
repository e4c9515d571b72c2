/**
 * Inner products of chosen rows: Z[b, f] = ⟨X[left_b], Y[right_bf]⟩; 0 where either index is MISSING.
 *
 * Gradients: dX[r] = Σ over b with left_b = r of Σ_f G[b, f]·Y[right_bf], and dY[r] = Σ over (b, f) with right_bf = r of
 * G[b, f]·X[left_b]: both one op, `gatherDotsGradient`, over the groups of `left` and of `right`.
 */

import { dotsOfRows } from "../partition/gather/gather-rules.js";
import { summedGroups } from "../partition/gather/group-rules.js";
import { defineOp, type HostTensor, requireShape, type Tensor } from "../program.js";
import { type Groups, groupIndex } from "./group-index.js";
import { MISSING } from "./missing.js";

export const gatherDotsOp = defineOp<null>({
  name: "gatherDots",
  outputs(inputs) {
    const [x, y, left, right] = inputs;
    requireShape(x.cols === y.cols && left.cols === 1 && left.rows === right.rows, "gatherDots", inputs);
    return [{ rows: right.rows, cols: right.cols }];
  },
  reference([x, y, left, right], [z]) {
    const { cols: dim } = x;
    for (let e = 0; e < z.data.length; e++) {
      const [i, j] = [left.data[Math.floor(e / right.cols)], right.data[e]];
      let sum = 0;
      if (i !== MISSING && j !== MISSING) {
        for (let k = 0; k < dim; k++) sum += x.data[i * dim + k] * y.data[j * dim + k];
      }
      z.data[e] = sum;
    }
  },
  gradient({ inputs: [x, y, left, right], gradients: [g] }) {
    if (g === undefined) return [undefined, undefined, undefined, undefined];
    const dx = gatherDotsGradient(groupIndex(left, x.rows), g, right, y);
    const dy = gatherDotsGradient(groupIndex(right, y.rows), g, left, x);
    return [dx, dy, undefined, undefined];
  },
  work: ([x], [z]) => ({ gathered: z.rows * z.cols * x.cols }),
  partition: dotsOfRows([
    { table: 0, index: 2 },
    { table: 1, index: 3 },
  ]),
});

/**
 * dX[r] = Σ over places p of group r, Σ_{q = p·k}^{p·k+k−1} G_q·Y[rows_⌊q/m⌋], where the grouped index has |G|/k entries and
 * `rows` has |G|/m. One of k and m is 1, the other is the number of right ends.
 */
export const gatherDotsGradientOp = defineOp<null>({
  name: "gatherDotsGradient",
  outputs(inputs) {
    const [start, order, g, rows, y] = inputs;
    const size = g.rows * g.cols;
    const fits = size % Math.max(order.rows, 1) === 0 && size % Math.max(rows.rows * rows.cols, 1) === 0;
    requireShape(fits, "gatherDotsGradient", inputs);
    return [{ rows: start.rows - 1, cols: y.cols }];
  },
  reference([start, order, g, rows, y], [dx]) {
    const perEntry = g.data.length / order.rows;
    const perRow = g.data.length / rows.data.length;
    dx.data.fill(0);
    for (let r = 0; r < dx.rows; r++) {
      for (let e = start.data[r]; e < start.data[r + 1]; e++) {
        for (let q = order.data[e] * perEntry; q < (order.data[e] + 1) * perEntry; q++) {
          addRow(dx, r, g.data[q], y, rows.data[Math.floor(q / perRow)]);
        }
      }
    }
  },
  gradient: "second derivatives are not used",
  work: ([, , g, , y]) => ({ gathered: g.rows * g.cols * y.cols }),
  partition: summedGroups({ coefficients: [2], tables: [{ table: 4, index: 3 }] }),
});

/** dx[r] += factor·y[j], unless j is MISSING. */
function addRow(dx: HostTensor, r: number, factor: number, y: HostTensor, j: number): void {
  if (j === MISSING) return;
  for (let k = 0; k < dx.cols; k++) dx.data[r * dx.cols + k] += factor * y.data[j * dx.cols + k];
}

function gatherDotsGradient({ start, order }: Groups, g: Tensor, rows: Tensor, y: Tensor): Tensor {
  return g.builder.apply(gatherDotsGradientOp, [start, order, g, rows, y], null)[0];
}

/** X [n, dim], Y [m, dim], left [b, 1], right [b, f] → [b, f]. */
export function gatherDots(x: Tensor, y: Tensor, left: Tensor, right: Tensor): Tensor {
  return x.builder.apply(gatherDotsOp, [x, y, left, right], null)[0];
}
