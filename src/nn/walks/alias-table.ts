/**
 * Tables for `sampleNodes` and `sampleByGroup`: Walker's alias method, built as by Vose (1991) in time linear in the number of
 * nodes.
 *
 * All slots have the same probability. A slot holds at most two nodes: its own, drawn with the probability of the slot's coin, and
 * another one. Coins are 32-bit integers, so that draws are the same on every engine; a frequency is off by at most 2⁻³² of a slot.
 */

import { InternalError } from "../../core/errors.js";
import type { GroupedTables } from "../../engine/ops/index.js";
import { probabilityWord } from "../../engine/ops/random-key.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";

/** Rows (coin, own node, other node), one per node with positive weight. */
export function aliasRows(weights: ArrayLike<number>): Uint32Array {
  const nodes: number[] = [];
  let total = 0;
  for (let node = 0; node < weights.length; node++) {
    const weight = weights[node];
    if (!(weight >= 0 && Number.isFinite(weight)))
      throw new InternalError(`alias table: weight ${weight}; expected a finite number of at least 0`);
    if (weight === 0) continue;
    nodes.push(node);
    total += weight;
  }
  const size = nodes.length;
  const share = Float64Array.from(nodes, (node) => (weights[node] / total) * size);
  const rows = new Uint32Array(3 * size);
  const below: number[] = [];
  const above: number[] = [];
  share.forEach((value, slot) => {
    (value < 1 ? below : above).push(slot);
  });
  const fill = (slot: number, coin: number, other: number): void => {
    rows.set([probabilityWord(coin), nodes[slot], nodes[other]], 3 * slot);
  };
  while (below.length > 0 && above.length > 0) {
    const slot = below.pop()!;
    const other = above[above.length - 1];
    fill(slot, share[slot], other);
    share[other] -= 1 - share[slot];
    if (share[other] < 1) below.push(above.pop()!);
  }
  // slots that remain because of rounding hold only their own node
  for (const slot of [...below, ...above]) fill(slot, 1, slot);
  return rows;
}

/** A table of nodes 0, 1, … drawn in proportion to their weights, as a constant [m, 3]; weight zero is never drawn. */
export function aliasTable(builder: ProgramBuilder, weights: ArrayLike<number>): Tensor {
  const rows = aliasRows(weights);
  return builder.constant(rows, rows.length / 3, 3, "index");
}

/** Tables of several groups for `sampleByGroup`, one after the other; the table of a group without positive weights is empty. */
export function aliasTables(builder: ProgramBuilder, weights: readonly ArrayLike<number>[]): GroupedTables {
  const parts = weights.map(aliasRows);
  const start = new Uint32Array(parts.length + 1);
  parts.forEach((part, g) => {
    start[g + 1] = start[g] + part.length / 3;
  });
  const tables = new Uint32Array(3 * start[parts.length]);
  parts.forEach((part, g) => {
    tables.set(part, 3 * start[g]);
  });
  return {
    tables: builder.constant(tables, tables.length / 3, 3, "index"),
    start: builder.constant(start, start.length, 1, "index"),
  };
}
