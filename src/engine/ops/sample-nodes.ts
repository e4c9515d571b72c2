/**
 * Draws nodes with the frequencies of an alias table (Walker 1977): one slot and one coin per draw, however many nodes there are.
 *
 * Table [m, 3] (index), one row per slot: coin, own node, other node. Draw e takes words 2(e mod 2) and 2(e mod 2) + 1 of
 * counter ⌊e/2⌋. The first word chooses the slot (upper half of its product with m). If the second word is below the slot's coin,
 * the draw is the own node, otherwise the other node. An empty table gives MISSING. All numbers are integers, so every engine
 * draws the same nodes.
 */

import { multiplyHigh } from "../../core/rng.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { MISSING } from "./missing.js";
import { drawBlock, falls } from "./random-key.js";

interface Attributes {
  readonly rows: number;
  readonly cols: number;
}

export const sampleNodesOp = defineOp<Attributes>({
  name: "sampleNodes",
  outputs([key, table], { rows, cols }) {
    requireShape(key.rows * key.cols === 2 && table.cols === 3, "sampleNodes", [key, table]);
    return [{ rows, cols, dtype: "index" }];
  },
  reference([key, table], [nodes]) {
    const block = new Uint32Array(4);
    for (let e = 0; e < nodes.data.length; e++) {
      if (e % 2 === 0) drawBlock(block, key, e / 2);
      const slot = 3 * multiplyHigh(block[2 * (e % 2)], table.rows);
      const takesFirst = falls(block[2 * (e % 2) + 1], table.data[slot]);
      nodes.data[e] = table.rows === 0 ? MISSING : table.data[slot + (takesFirst ? 1 : 2)];
    }
  },
  gradient: "draws have none",
});

/** rows × cols nodes drawn independently from an alias table (`aliasTable`). */
export function sampleNodes(key: Tensor, table: Tensor, rows: number, cols = 1): Tensor {
  return key.builder.apply(sampleNodesOp, [key, table], { rows, cols })[0];
}
