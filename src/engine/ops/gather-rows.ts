/**
 * Chosen rows: Y[b] = X[index_b]; a row of zeros where the index is MISSING.
 *
 * Gradient: dX[r] = Σ over b with index_b = r of G[b] (`gatherRowsGradient`, over the groups of the index).
 */

import { gatheredRows } from "../partition/gather/gather-rules.js";
import { summedGroups } from "../partition/gather/group-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { groupIndex } from "./group-index.js";
import { MISSING } from "./missing.js";

export const gatherRowsOp = defineOp<null>({
  name: "gatherRows",
  outputs([x, index]) {
    requireShape(index.cols === 1, "gatherRows", [x, index]);
    return [{ rows: index.rows, cols: x.cols }];
  },
  reference([x, index], [y]) {
    for (let i = 0; i < y.data.length; i++) {
      const row = index.data[Math.floor(i / x.cols)];
      y.data[i] = row === MISSING ? 0 : x.data[row * x.cols + (i % x.cols)];
    }
  },
  gradient({ inputs: [x, index], gradients: [g] }) {
    if (g === undefined) return [undefined, undefined];
    const { start, order } = groupIndex(index, x.rows);
    return [g.builder.apply(gatherRowsGradientOp, [start, order, g], null)[0], undefined];
  },
  partition: gatheredRows(),
});

export const gatherRowsGradientOp = defineOp<null>({
  name: "gatherRowsGradient",
  outputs([start, order, g]) {
    requireShape(order.rows === g.rows, "gatherRowsGradient", [start, order, g]);
    return [{ rows: start.rows - 1, cols: g.cols }];
  },
  reference([start, order, g], [dx]) {
    dx.data.fill(0);
    for (let r = 0; r < dx.rows; r++) {
      for (let e = start.data[r]; e < start.data[r + 1]; e++) {
        for (let k = 0; k < dx.cols; k++) dx.data[r * dx.cols + k] += g.data[order.data[e] * dx.cols + k];
      }
    }
  },
  gradient: "second derivatives are not used",
  partition: summedGroups({ coefficients: [2], tables: [] }),
});

/** The rows of X that other ranks read, one after the other: as `gatherRows`, but a row without an index is not written. */
export const packRowsOp = defineOp<null>({
  name: "packRows",
  outputs: ([x, index]) => [{ rows: index.rows, cols: x.cols }],
  reference([x, index], [y]) {
    for (let i = 0; i < y.data.length; i++) {
      const row = index.data[Math.floor(i / x.cols)];
      if (row !== MISSING) y.data[i] = x.data[row * x.cols + (i % x.cols)];
    }
  },
  gradient: "it is part of a partitioned program",
});

/** X [n, dim], index [b, 1] → [b, dim]. */
export function gatherRows(x: Tensor, index: Tensor): Tensor {
  return x.builder.apply(gatherRowsOp, [x, index], null)[0];
}
