/**
 * Dropout: entry e is kept when word e of the random stream is at least rate·2³², and multiplied by 1/(1−rate).
 *
 * The stream is Philox keyed by (seed, purpose, epoch) with counter ⌊e/4⌋, so every engine drops the same entries.
 * Gradient: the same mask and factor.
 */

import { philox } from "../../core/rng.js";
import { defineOp, type ProgramBuilder, requireShape, type Tensor } from "../program.js";
import { maskScale } from "./relu.js";

interface Attributes {
  readonly rate: number;
}

/** Words below this drop their entry. */
export function dropoutThreshold(rate: number): number {
  return Math.min(0xffffffff, Math.round(rate * 0x1_0000_0000));
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
  reference([x, key], [y, mask], { rate }) {
    const block = new Uint32Array(4);
    const threshold = dropoutThreshold(rate);
    for (let e = 0; e < y.data.length; e++) {
      if (e % 4 === 0) {
        block[0] = e / 4;
        block[1] = block[2] = block[3] = 0;
        philox(block, key.data[0], key.data[1]);
      }
      mask.data[e] = block[e % 4] >= threshold ? 1 : 0;
      y.data[e] = mask.data[e] === 0 ? 0 : x.data[e] / (1 - rate);
    }
  },
  gradient({ outputs: [, mask], gradients: [g], attributes: { rate } }) {
    return g === undefined ? [undefined, undefined] : [maskScale(g, mask, 1 / (1 - rate)), undefined];
  },
  encode: ({ rate }) => [{ int: dropoutThreshold(rate) }, { float: 1 / (1 - rate) }],
});

/** A key drawn anew for every replay; one per use, so that masks are independent. */
export function dropoutKey(builder: ProgramBuilder, purpose: string): Tensor {
  return builder.random(purpose, [{ rows: 1, cols: 2, dtype: "index" }], ([words], rng) => {
    words[0] = rng.uint32();
    words[1] = rng.uint32();
  })[0];
}

/** Dropout of entries at `rate` in [0, 1); at rate 0 the tensor itself. */
export function dropout(x: Tensor, rate: number, purpose: string): Tensor {
  if (rate === 0) return x;
  return x.builder.apply(dropoutOp, [x, dropoutKey(x.builder, purpose)], { rate })[0];
}
