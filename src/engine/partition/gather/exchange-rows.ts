/** Rows that ranks send each other, in rounds: only one round at a time is packed, so packing needs little memory. */

import { packRowsOp } from "../../ops/gather-rows.js";
import { MISSING } from "../../ops/missing.js";
import type { DType, KernelTensor, ProgramBuilder, Tensor } from "../../program.js";
import type { Ranks } from "../../ranks.js";
import { adjacentParts, starts } from "../halo.js";
import { hostAlias, partOp } from "../local-ops.js";

/**
 * Largest number of rows that a rank packs at a time: 17 MB for 64 columns. In each round the ranks wait for each other: with rounds of
 * 2,048 rows two ranks took up to a half longer (bench/weak-scaling.mjs, 2 × Xeon at 2.1 GHz, 2026-11-19).
 */
export const MAX_ROUND_ROWS = 65_536;

/** Numbers of rows for each rank; they may change at each replay. */
export interface RowCounts {
  readonly sendCounts: readonly number[];
  readonly receiveCounts: readonly number[];
}

/** Rows to send. */
export interface SentRows extends RowCounts {
  /** Numbers of the rows of each round, by receiving rank; the rest of a round is MISSING. */
  readonly index: Tensor;
  /** Number of rounds, the same on every rank. */
  readonly rounds: number;
}

/** The number of rounds if no rank sends more than `maxSent` rows, and at most `maxRows` of them at a time. */
export function numRounds(maxSent: number, maxRows: number): number {
  return Math.max(1, Math.ceil(maxSent / maxRows));
}

/** Rows that the index needs if this rank sends at most `maxSent` rows to `numRanks` ranks. */
export function indexRows(rounds: number, maxSent: number, numRanks: number): number {
  return rounds * roundRows(rounds, maxSent, numRanks);
}

/** Every rank gets its share of its rows in each round, rounded up or down. */
function roundRows(rounds: number, maxSent: number, numRanks: number): number {
  return Math.floor(maxSent / rounds) + numRanks;
}

/** Rows of `count` rows that come before a round. */
function before(round: number, count: number, rounds: number): number {
  return Math.floor((count * round) / rounds);
}

/** Writes rows that are sorted by receiving rank into `index`, by round. */
export function layRounds(rows: Uint32Array, sendCounts: readonly number[], rounds: number, index: Uint32Array): void {
  const first = starts(sendCounts);
  const numRows = index.length / rounds;
  index.fill(MISSING);
  for (let round = 0; round < rounds; round++) {
    let at = round * numRows;
    for (let r = 0; r < sendCounts.length; r++) {
      const begin = first[r] + before(round, sendCounts[r], rounds);
      const end = first[r] + before(round + 1, sendCounts[r], rounds);
      index.set(rows.subarray(begin, end), at);
      at += end - begin;
    }
  }
}

/** The shape of a table with rows of other ranks. */
interface ExtendedSpec {
  /** Own rows; the received rows follow them, by sending rank. */
  readonly own: number;
  /** Largest number of received rows. */
  readonly received: number;
  readonly dtype: DType;
}

/** A table and the rows that arrive, in the storage of X. */
export function exchangeRows(
  builder: ProgramBuilder,
  ranks: Ranks,
  x: Tensor,
  sent: SentRows,
  { own, received, dtype }: ExtendedSpec,
): Tensor {
  const { cols } = x;
  const { index, rounds, sendCounts, receiveCounts } = sent;
  const rows = index.rows / rounds;
  // not float numbers before all rows are there: a search for values that are not finite would read the missing ones
  const packed = { rows, cols, dtype: "index" as const };
  let extended = x;
  for (let round = 0; round < rounds; round++) {
    const part = (tensor: Tensor, firstRow: number): KernelTensor => ({ tensor, rows, cols: tensor.cols, firstRow });
    const pack = partOp(packRowsOp, [packed], ([from, all], [to]) => ({
      phase: "run",
      outputs: [part(to, 0)],
      inputs: [{ tensor: from, rows: own, cols, firstRow: 0 }, part(all, -round * rows)],
    }));
    const words = (counts: readonly number[]) =>
      counts.map((count) => (before(round + 1, count, rounds) - before(round, count, rounds)) * cols);
    const spec = { rows: own + received, cols, dtype: round === rounds - 1 ? dtype : packed.dtype };
    const exchange = hostAlias("exchangeRows", spec, ([, send], [whole]) => {
      const displacements = starts(receiveCounts).map(
        (first, r) => (first + before(round, receiveCounts[r], rounds)) * cols,
      );
      ranks.allToAll(adjacentParts(send, words(sendCounts)), {
        data: whole.subarray(own * cols),
        counts: words(receiveCounts),
        displacements,
      });
    });
    const [rowsToSend] = builder.apply(pack, [extended, index], null);
    [extended] = builder.apply(exchange, [extended, rowsToSend], null);
  }
  return extended;
}
