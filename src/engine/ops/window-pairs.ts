/**
 * Pairs of nodes close together on walks: for every place i of a walk, in order, all (walk_i, walk_j) with 1 ≤ |i − j| ≤ window, j
 * ascending. If either node is MISSING, both sides of the pair are MISSING, so the shapes alone fix the number of pairs:
 * 2·Σ_{j=1}^{window} (length − j) per walk.
 *
 * With a key, each place draws its own window, window − U{0, …, window − 1}, as word2vec does (Mikolov et al. 2013): nearer nodes
 * are paired more often. Pairs outside of it are MISSING. Place e of all walks uses word e mod 4 of counter ⌊e/4⌋.
 */

import { multiplyHigh } from "../../core/rng.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { MISSING } from "./missing.js";
import { drawBlock } from "./random-key.js";

interface Attributes {
  readonly window: number;
  readonly reduced: boolean;
}

/** Number of pairs of one walk of `length` nodes. */
export function pairsPerWalk(length: number, window: number): number {
  const reach = Math.min(window, length - 1);
  return reach * (2 * length - reach - 1);
}

export const windowPairsOp = defineOp<Attributes>({
  name: "windowPairs",
  outputs(inputs, { window, reduced }) {
    const [walks, key] = inputs;
    requireShape(walks.cols >= 1 && window >= 1 && (!reduced || key.rows * key.cols === 2), "windowPairs", inputs);
    const spec = { rows: walks.rows * pairsPerWalk(walks.cols, window), cols: 1, dtype: "index" } as const;
    return [spec, spec];
  },
  reference([walks, key], [left, right], { window, reduced }) {
    const { cols: length } = walks;
    const block = new Uint32Array(4);
    let pair = 0;
    for (let e = 0; e < walks.data.length; e++) {
      const reach = reduced ? window - multiplyHigh(drawBlock(block, key, Math.floor(e / 4))[e % 4], window) : window;
      const i = e % length;
      for (let j = Math.max(0, i - window); j <= Math.min(length - 1, i + window); j++) {
        if (j === i) continue;
        const [a, b] = [walks.data[e], walks.data[e - i + j]];
        const paired = Math.abs(i - j) <= reach && a !== MISSING && b !== MISSING;
        left.data[pair] = paired ? a : MISSING;
        right.data[pair] = paired ? b : MISSING;
        pair++;
      }
    }
  },
  gradient: "an index has none",
  encode: ({ window, reduced }) => [{ int: window }, { int: reduced ? 1 : 0 }],
});

/** Both ends of pairs, [P, 1] each. */
export interface Pairs {
  readonly left: Tensor;
  readonly right: Tensor;
}

/** Pairs within `window` places on walks [w, length]; with a key, within a random window up to that. */
export function windowPairs(walks: Tensor, window: number, key?: Tensor): Pairs {
  const inputs = key === undefined ? [walks] : [walks, key];
  const [left, right] = walks.builder.apply(windowPairsOp, inputs, { window, reduced: key !== undefined });
  return { left, right };
}
