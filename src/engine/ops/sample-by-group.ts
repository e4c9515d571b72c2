/**
 * Draws from one of several alias tables: as `sampleNodes`, but row b of the draws uses the table of its group.
 *
 * The tables follow each other in one tensor ([m, 3]: coin, own node, other node); the table of group g is rows
 * start_g … start_{g+1} − 1. Draw e takes words 2(e mod 2) and 2(e mod 2) + 1 of counter ⌊e/2⌋ in every group. A MISSING group or an empty table gives
 * MISSING.
 */

import { multiplyHigh } from "../../core/rng.js";
import { defineOp, requireShape, type Tensor } from "../program.js";
import { MISSING } from "./missing.js";
import { drawBlock, falls } from "./random-key.js";

interface Attributes {
  readonly cols: number;
}

export const sampleByGroupOp = defineOp<Attributes>({
  name: "sampleByGroup",
  outputs(inputs, { cols }) {
    const [key, tables, start, groups] = inputs;
    const fits = key.rows * key.cols === 2 && tables.cols === 3 && start.cols === 1 && groups.cols === 1;
    requireShape(fits, "sampleByGroup", inputs);
    return [{ rows: groups.rows, cols, dtype: "index" }];
  },
  reference([key, tables, start, groups], [nodes], { cols }) {
    const block = new Uint32Array(4);
    for (let e = 0; e < nodes.data.length; e++) {
      if (e % 2 === 0) drawBlock(block, key, e / 2);
      const group = groups.data[Math.floor(e / cols)];
      const slots = group === MISSING ? 0 : start.data[group + 1] - start.data[group];
      if (slots === 0) {
        nodes.data[e] = MISSING;
        continue;
      }
      const slot = 3 * (start.data[group] + multiplyHigh(block[2 * (e % 2)], slots));
      nodes.data[e] = tables.data[slot + (falls(block[2 * (e % 2) + 1], tables.data[slot]) ? 1 : 2)];
    }
  },
  gradient: "draws have none",
});

/** Alias tables of several groups, one after the other. */
export interface GroupedTables {
  /** [m, 3] */
  readonly tables: Tensor;
  /** [groups + 1, 1] */
  readonly start: Tensor;
}

/** For each of `groups` [b, 1] `cols` nodes drawn independently from the table of the group: [b, cols]. */
export function sampleByGroup(key: Tensor, { tables, start }: GroupedTables, groups: Tensor, cols: number): Tensor {
  return key.builder.apply(sampleByGroupOp, [key, tables, start, groups], { cols })[0];
}
