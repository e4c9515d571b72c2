/**
 * Dropout: entry e is kept if word e of the random stream is at least rate·2³², and multiplied by 1/(1−rate).
 *
 * The stream is Philox with counter ⌊e/4⌋ under a key drawn for (seed, purpose, step), so every engine drops the same entries.
 * Gradient: the same mask and factor.
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { drawBlock, probabilityWord, randomKey } from "./random-key.js";
import { maskScale } from "./relu.js";

interface Attributes {
  readonly rate: number;
  /** Counter of entry 0; above 0 if the tensor holds the rows of one rank. Default: 0. */
  readonly first?: number;
}

export const dropoutOp = defineOp<Attributes>({
  name: "dropout",
  outputs([x, key]) {
    requireShape(key.rows * key.cols === 2, "dropout", [x, key]);
    return [
      { rows: x.rows, cols: x.cols },
      { rows: x.rows, cols: x.cols, dtype: "mask" },
    ];
  },
  reference([x, key], [y, mask], { rate, first = 0 }) {
    const block = new Uint32Array(4);
    const threshold = probabilityWord(rate);
    for (let e = 0; e < y.data.length; e++) {
      if (e % 4 === 0) drawBlock(block, key, first + e / 4);
      mask.data[e] = block[e % 4] >= threshold ? 1 : 0;
      y.data[e] = mask.data[e] === 0 ? 0 : x.data[e] / (1 - rate);
    }
  },
  gradient({ outputs: [, mask], gradients: [g], attributes: { rate } }) {
    return g === undefined ? [undefined, undefined] : [maskScale(g, mask, 1 / (1 - rate)), undefined];
  },
  encode: ({ rate, first = 0 }) => [{ int: probabilityWord(rate) }, { float: 1 / (1 - rate) }, { int: first }],
  partition: rowLocal({
    attributes: ({ attributes, inputs: [{ tensor, rowsPerNode }], ranges }) => ({
      ...attributes,
      first: Math.floor((rowsPerNode * ranges.begin * tensor.cols) / 4),
    }),
  }),
});

/** Dropout of entries at `rate` in [0, 1); rate 0 returns X itself. */
export function dropout(x: Tensor, rate: number, purpose: string): Tensor {
  if (rate === 0) return x;
  return x.builder.apply(dropoutOp, [x, randomKey(x.builder, purpose)], { rate })[0];
}
