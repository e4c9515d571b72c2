/**
 * Parametric ReLU (He et al. 2015): Y = max(X, 0) + a·min(X, 0) with one learnt slope a, 1 × 1.
 *
 * Gradients: dX = G where X > 0, otherwise a·G; da = Σ G ⊙ min(X, 0), summed in fixed blocks, and the blocks in order.
 */

import { entryChunkRows } from "../partition/chunks.js";
import { sumOverRows } from "../partition/reduce-rule.js";
import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

export const preluOp = defineOp<null>({
  name: "prelu",
  outputs([x, slope]) {
    requireShape(slope.rows === 1 && slope.cols === 1, "prelu", [x, slope]);
    return [{ rows: x.rows, cols: x.cols }];
  },
  reference([x, slope], [y]) {
    // NaN passes through: hiding it would hide a diverged run
    for (let i = 0; i < y.data.length; i++) {
      y.data[i] = Math.max(x.data[i], 0) + slope.data[0] * Math.min(x.data[i], 0);
    }
  },
  gradient({ inputs: [x, slope], gradients: [g] }) {
    if (g === undefined) return [undefined, undefined];
    const { builder } = g;
    return [
      builder.apply(preluGradientOp, [g, x, slope], null)[0],
      builder.apply(preluSlopeGradientOp, [g, x], null)[0],
    ];
  },
  partition: rowLocal(),
});

export const preluGradientOp = defineOp<null>({
  name: "preluGradient",
  outputs([g, x, slope]) {
    requireShape(g.rows === x.rows && g.cols === x.cols, "preluGradient", [g, x, slope]);
    return [{ rows: g.rows, cols: g.cols }];
  },
  reference([g, x, slope], [dx]) {
    for (let i = 0; i < dx.data.length; i++) dx.data[i] = x.data[i] > 0 ? g.data[i] : slope.data[0] * g.data[i];
  },
  gradient: "second derivatives are not used",
  partition: rowLocal(),
});

export const preluSlopeGradientOp = defineOp<null>({
  name: "preluSlopeGradient",
  outputs([g, x]) {
    requireShape(g.rows === x.rows && g.cols === x.cols, "preluSlopeGradient", [g, x]);
    return [{ rows: 1, cols: 1 }];
  },
  reference([g, x], [da]) {
    let sum = 0;
    for (let i = 0; i < g.data.length; i++) sum += g.data[i] * Math.min(x.data[i], 0);
    da.data[0] = sum;
  },
  gradient: "second derivatives are not used",
  partition: sumOverRows({ chunkRows: ([g]) => entryChunkRows(g), partBytes: () => 8 }),
});

/** X [m, n] and the slope [1, 1] → [m, n]. */
export function prelu(x: Tensor, slope: Tensor): Tensor {
  return x.builder.apply(preluOp, [x, slope], null)[0];
}
