/** The source of a sparse product on one rank: the own rows of a table, then the rows of other ranks that the product reads. */

import { sliceColumnsOp } from "../../ops/columns.js";
import { gatherRows } from "../../ops/gather-rows.js";
import type { ProgramBuilder, Tensor } from "../../program.js";
import type { Ranks } from "../../ranks.js";
import { exchangeRows } from "../gather/exchange-rows.js";
import { type Halo, starts } from "../halo.js";
import { hostAlias, partOp } from "../local-ops.js";
import { type ColumnSlice, wordRows } from "./column-slices.js";

/**
 * Maximum number of exchanges of a slice. Each exchange sends rows to some of the ranks, and only these rows are packed at a time. More
 * exchanges would save little memory, because the received rows take more. Not tuned.
 */
const MAX_ROUNDS = 4;

/** The own rows that are sent in one exchange, by receiving rank, and the numbers of rows that are sent and received. */
type Round = Pick<Halo, "sendIndex" | "sendCounts" | "receiveCounts">;

/** Makes sources with the rows of one halo. */
export class HaloSource {
  readonly #builder: ProgramBuilder;
  readonly #ranks: Ranks;
  readonly #halo: Halo;
  #index?: Tensor;
  #rounds?: readonly (Round & { readonly index: Tensor })[];

  constructor(builder: ProgramBuilder, ranks: Ranks, halo: Halo) {
    this.#builder = builder;
    this.#ranks = ranks;
    this.#halo = halo;
  }

  /** X and its halo in the storage of X: the halo stays in memory as long as X does. */
  whole(x: Tensor): Tensor {
    const { sendIndex, nodes } = this.#halo;
    this.#index ??= this.#indexOf(sendIndex);
    return exchangeRows(this.#builder, this.#ranks, x, gatherRows(x, this.#index), nodes.length, this.#halo);
  }

  /** A slice of X and its halo in storage of their own. */
  slice(x: Tensor, { first, cols }: ColumnSlice): Tensor {
    const rows = x.rows + this.#halo.nodes.length;
    // not float numbers before all rows are there: a search for values that are not finite would read the missing ones
    const spec = { rows, cols, dtype: "index" as const };
    const copy = partOp(sliceColumnsOp, [spec], ([from], [to]) => ({
      phase: "run",
      outputs: [{ tensor: to, rows: x.rows, cols, firstRow: 0 }],
      inputs: [wordRows(from)],
    }));
    let [source] = this.#builder.apply(copy, [x], { start: first, count: cols });
    this.#rounds ??= exchangeRounds(this.#halo, this.#ranks).map((round) => ({
      ...round,
      index: this.#indexOf(round.sendIndex),
    }));
    this.#rounds.forEach((round, i, { length }) => {
      const sent = gatherRows(source, round.index);
      const exchange = this.#exchange(x.rows, { ...spec, dtype: i === length - 1 ? "float" : "index" }, round);
      [source] = this.#builder.apply(exchange, [source, sent], null);
    });
    return source;
  }

  #exchange(
    firstRow: number,
    spec: { rows: number; cols: number; dtype: "float" | "index" },
    { sendCounts, receiveCounts }: Round,
  ) {
    const { cols } = spec;
    const ranks = this.#ranks;
    const words = (counts: readonly number[]) => counts.map((count) => count * cols);
    const sendWords = words(sendCounts);
    const receiveWords = words(receiveCounts);
    const sendStarts = starts(sendWords);
    const receiveStarts = starts(words(this.#halo.receiveCounts));
    return hostAlias("exchangeRows", spec, ([, sent], [extended]) => {
      const received = extended.subarray(firstRow * cols);
      ranks.allToAll(
        { data: sent, counts: sendWords, displacements: sendStarts },
        { data: received, counts: receiveWords, displacements: receiveStarts },
      );
    });
  }

  #indexOf(rows: Uint32Array): Tensor {
    return this.#builder.constant(rows, rows.length, 1, "index");
  }
}

/**
 * The exchanges of a halo. Every rank sends to the ranks that follow it at some distances, and receives from the ranks before it at the same
 * distances.
 */
export function exchangeRounds(
  { sendIndex, sendCounts, receiveCounts }: Round,
  { rank, size }: Pick<Ranks, "rank" | "size">,
): Round[] {
  const sendStarts = starts(sendCounts);
  const perRound = Math.ceil((size - 1) / MAX_ROUNDS);
  return Array.from({ length: Math.ceil((size - 1) / perRound) }, (_, round): Round => {
    const isInRound = (distance: number) => distance > 0 && Math.floor((distance - 1) / perRound) === round;
    const sendsTo = (other: number) => isInRound((other - rank + size) % size);
    const receivesFrom = (other: number) => isInRound((rank - other + size) % size);
    const parts = sendCounts.flatMap((count, other) =>
      sendsTo(other) ? [sendIndex.subarray(sendStarts[other], sendStarts[other] + count)] : [],
    );
    return {
      sendIndex: joined(parts),
      sendCounts: sendCounts.map((count, other) => (sendsTo(other) ? count : 0)),
      receiveCounts: receiveCounts.map((count, other) => (receivesFrom(other) ? count : 0)),
    };
  });
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
