/**
 * Y = max(X, 0), and a mask with one bit per entry (1 where X > 0). The gradient needs only the mask, so X and Y need not be kept.
 *
 * Gradient: dX = G where the bit is set, otherwise 0 (`maskScale`, which dropout uses too).
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

interface MaskScaleAttributes {
  readonly factor: number;
}

export const reluOp = defineOp<null>({
  name: "relu",
  inPlace: 0,
  outputs: ([x]) => [
    { rows: x.rows, cols: x.cols },
    { rows: x.rows, cols: x.cols, dtype: "mask" },
  ],
  reference([x], [y, mask]) {
    for (let i = 0; i < y.data.length; i++) {
      mask.data[i] = x.data[i] > 0 ? 1 : 0;
      // NaN passes through: hiding it would hide a diverged run
      y.data[i] = Math.max(x.data[i], 0);
    }
  },
  gradient({ outputs: [, mask], gradients: [g] }) {
    return g === undefined ? [undefined] : [maskScale(g, mask, 1)];
  },
  partition: rowLocal(),
});

export const maskScaleOp = defineOp<MaskScaleAttributes>({
  name: "maskScale",
  inPlace: 0,
  outputs([x, mask]) {
    requireShape(x.rows === mask.rows && x.cols === mask.cols, "maskScale", [x, mask]);
    return [{ rows: x.rows, cols: x.cols }];
  },
  reference([x, mask], [y], { factor }) {
    for (let i = 0; i < y.data.length; i++) y.data[i] = mask.data[i] === 0 ? 0 : factor * x.data[i];
  },
  gradient({ inputs: [, mask], gradients: [g], attributes: { factor } }) {
    return g === undefined ? [undefined, undefined] : [maskScale(g, mask, factor), undefined];
  },
  encode: ({ factor }) => [{ float: factor }],
  partition: rowLocal(),
});

/** max(0, x) of every entry. */
export function relu(x: Tensor): Tensor {
  return x.builder.apply(reluOp, [x], null)[0];
}

/** factor·X where the mask's bit is set, otherwise 0. */
export function maskScale(x: Tensor, mask: Tensor, factor: number): Tensor {
  return x.builder.apply(maskScaleOp, [x, mask], { factor })[0];
}
