/**
 * Y[i] = s_i·X[i] with a column s of row factors, and its partner `rowDots`: y_i = ⟨A[i], B[i]⟩.
 *
 * Gradients: dX = scaleRows(G, s), ds = rowDots(G, X); for rowDots: dA = scaleRows(B, g), dB = scaleRows(A, g). If no factor
 * is zero, ds is also rowDots(G, Y)/s: then X need not be kept if Y is kept for another reason.
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { multiply } from "./multiply.js";
import { reciprocal } from "./unary.js";

interface Attributes {
  /** Compute the gradient of the factors from the result; no factor may be zero. */
  readonly fromResult: boolean;
}

export const scaleRowsOp = defineOp<Attributes>({
  name: "scaleRows",
  inPlace: 0,
  outputs([x, factors]) {
    requireShape(factors.rows === x.rows && factors.cols === 1, "scaleRows", [x, factors]);
    return [{ rows: x.rows, cols: x.cols }];
  },
  reference([x, factors], [y]) {
    for (let i = 0; i < y.data.length; i++) y.data[i] = factors.data[Math.floor(i / x.cols)] * x.data[i];
  },
  gradient({ inputs: [x, factors], outputs: [y], gradients: [g], attributes: { fromResult } }) {
    if (g === undefined) return [undefined, undefined];
    const dots = fromResult ? multiply(rowDots(g, y), reciprocal(factors)) : rowDots(g, x);
    return [scaleRows(g, factors), dots];
  },
  partition: rowLocal(),
});

export const rowDotsOp = defineOp<null>({
  name: "rowDots",
  outputs([a, b]) {
    requireShape(a.rows === b.rows && a.cols === b.cols, "rowDots", [a, b]);
    return [{ rows: a.rows, cols: 1 }];
  },
  reference([a, b], [y]) {
    for (let i = 0; i < a.rows; i++) {
      let sum = 0;
      for (let k = 0; k < a.cols; k++) sum += a.data[i * a.cols + k] * b.data[i * a.cols + k];
      y.data[i] = sum;
    }
  },
  gradient({ inputs: [a, b], gradients: [g] }) {
    return g === undefined ? [undefined, undefined] : [scaleRows(b, g), scaleRows(a, g)];
  },
  partition: rowLocal(),
});

/** Row i of X times entry i of the column `factors`. */
export function scaleRows(x: Tensor, factors: Tensor, { fromResult = false } = {}): Tensor {
  return x.builder.apply(scaleRowsOp, [x, factors], { fromResult })[0];
}

/** The inner product of row i of A and row i of B, as a column. */
export function rowDots(a: Tensor, b: Tensor): Tensor {
  return a.builder.apply(rowDotsOp, [a, b], null)[0];
}
