/** Makes the instructions that bring rows of divided tables to the ranks that work on the places of a batch. */

import { gatherRowsOp, packRowsOp } from "../../ops/gather-rows.js";
import { MISSING } from "../../ops/missing.js";
import type { ProgramBuilder, Tensor } from "../../program.js";
import type { Ranks } from "../../ranks.js";
import { hostAlias, hostOp } from "../local-ops.js";
import type { RowRanges } from "../row-ranges.js";
import type { FetchedRows, LocalTensor } from "../rule.js";
import { type Consumers, sortByOwner } from "./consumers.js";
import { exchangeRows, type SentRows } from "./exchange-rows.js";
import { findRequests, RequestScratch } from "./row-requests.js";
import { gatherWhole } from "./whole-rows.js";

/**
 * A table is made whole on every rank if the rows of other ranks are at most this many times the entries with which a rank reads it.
 * The gradient of a batch usually reads its rows three more times, each time about as many; a whole table is sent once and needs no
 * plan. Not tuned.
 */
const WHOLE_FACTOR = 4;
/** Largest table that is made whole, in bytes: a sixteenth of the memory of a rank. Not tuned. */
const MAX_WHOLE_BYTES = 2 ** 28;

/** What a replay sends and receives, and the renumbered indices. */
interface FetchPlan {
  readonly sent: SentRows;
  readonly indices: readonly Tensor[];
  /** Largest number of received rows. */
  readonly maxReceived: number;
}

/** The rows of some places in the order of their owners. */
interface GatherPlan {
  readonly sendIndex: Tensor;
  readonly position: Tensor;
  /** First place of each rank. */
  readonly bounds: Uint32Array;
}

/** A table that was made whole in the segment that is being traced. */
interface WholeTable {
  readonly tensor: Tensor;
  /** Number of instructions before those that read it. */
  readonly made: number;
}

const size = ({ rows, cols }: Tensor) => rows * cols;

export class Fetches {
  readonly #builder: ProgramBuilder;
  readonly #ranks: Ranks;
  readonly #ranges: RowRanges;
  readonly #scratch = new RequestScratch();
  /** Largest number of rows of other ranks that one op has read in a replay so far, as a number of nodes. */
  readonly largest = { rows: 0 };
  /** Plans of the segment that is being traced. */
  readonly #plans = new Map<string, FetchPlan>();
  readonly #gathers = new Map<string, GatherPlan>();
  readonly #wholes = new Map<Tensor, WholeTable>();

  constructor(builder: ProgramBuilder, ranks: Ranks, ranges: RowRanges) {
    this.#builder = builder;
    this.#ranks = ranks;
    this.#ranges = ranges;
  }

  /** Forgets what instructions of the last segment computed. */
  beginSegment(): void {
    this.#plans.clear();
    this.#gathers.clear();
    this.#wholes.clear();
  }

  /** The whole table if it is cheaper than the rows that all ranks together name with `numEntries` entries. */
  #cheapWhole(x: LocalTensor, numEntries: number): Tensor | undefined {
    const known = this.#wholes.get(x.tensor);
    const isCurrent = known && !this.#builder.tracing.slice(known.made).some(({ op }) => op.mutates !== undefined);
    if (isCurrent) return known.tensor;
    const { size, numNodes } = this.#ranges;
    const numRows = x.rowsPerNode * numNodes;
    const isCheap = numRows * (size - 1) <= WHOLE_FACTOR * numEntries && 4 * numRows * x.tensor.cols <= MAX_WHOLE_BYTES;
    if (!isCheap) return undefined;
    const tensor = x.tensors?.whole() ?? gatherWhole(this.#builder, this.#ranks, this.#ranges, x);
    this.#wholes.set(x.tensor, { tensor, made: this.#builder.tracing.length });
    this.largest.rows = Math.max(this.largest.rows, numNodes - this.#ranges.count);
    return tensor;
  }

  /** The rows of X that the indices, which are whole, name at the places of this rank. */
  fetch(table: LocalTensor, indices: readonly Tensor[], consumers: Consumers): FetchedRows {
    const numEntries = indices.reduce((sum, index) => sum + size(index), 0);
    const whole = this.#cheapWhole(table, numEntries);
    if (whole !== undefined) return { source: whole, indices };
    const { tensor: x, rowsPerNode } = table;
    const key = `${consumers.key}; ${rowsPerNode}; ${indices.map(({ id }) => id).join(" ")}`;
    const plan = this.#plans.get(key) ?? this.#plan(this.#ranges.times(rowsPerNode), indices, consumers);
    this.#plans.set(key, plan);
    // not float numbers: there is room for more rows than arrive
    const spec = { own: x.rows, received: plan.maxReceived, dtype: "index" as const };
    const source = exchangeRows(this.#builder, this.#ranks, x, plan.sent, spec);
    return { source, indices: plan.indices };
  }

  #plan(ranges: RowRanges, indices: readonly Tensor[], consumers: Consumers): FetchPlan {
    const scratch = this.#scratch;
    const ranks = this.#ranks;
    const { largest } = this;
    const rowsPerNode = ranges.numNodes / this.#ranges.numNodes;
    const { count } = consumers;
    const uses = indices.map((index) => ({
      perPlace: Math.max(1, size(index) / Math.max(1, count)),
      placesPer: Math.max(1, count / Math.max(1, size(index))),
    }));
    const counts = {
      sendCounts: new Array<number>(ranges.size).fill(0),
      receiveCounts: new Array<number>(ranges.size).fill(0),
    };
    /** Largest number of different rows that rank r reads. */
    const maxRows = (r: number) => uses.reduce((sum, { perPlace }) => sum + perPlace * consumers.maxPlaces[r], 0);
    const others = consumers.maxPlaces.map((_, r) => r).filter((r) => r !== ranges.rank);
    const total = uses.reduce((sum, { perPlace }) => sum + perPlace * count, 0);
    const maxSent = others.reduce((sum, r) => sum + Math.min(ranges.count, maxRows(r)), 0);
    const plan = hostOp(
      "planFetch",
      [
        { rows: Math.min(total, maxSent), cols: 1, dtype: "index" },
        ...indices.map(({ rows, cols }) => ({ rows, cols, dtype: "index" as const })),
      ],
      (inputs, [sendIndex, ...renumbered]) => {
        const requested = uses.map((use, i) => ({ ...use, rows: inputs[i] }));
        const places = consumers.places(inputs.slice(indices.length));
        findRequests(places, requested, ranges, ranks, scratch, sendIndex, renumbered, counts);
        const received = counts.receiveCounts.reduce((sum, count) => sum + count, 0);
        largest.rows = Math.max(largest.rows, received / rowsPerNode);
      },
    );
    const [index, ...renumbered] = this.#builder.apply(plan, [...indices, ...consumers.inputs], null);
    const maxReceived = Math.min(ranges.numNodes - ranges.count, maxRows(ranges.rank));
    // in one round: how many rows are sent is known only at each replay
    return { sent: { index, rounds: 1, ...counts }, indices: renumbered, maxReceived };
  }

  /** Y[b] = X[index_b], whole on every rank; the index is whole. */
  gather(table: LocalTensor, index: Tensor): Tensor {
    const whole = this.#cheapWhole(table, size(index));
    if (whole !== undefined) return this.#builder.apply(gatherRowsOp, [whole, index], null)[0];
    const { tensor: x, rowsPerNode } = table;
    const key = `${rowsPerNode} ${index.id}`;
    const plan = this.#gathers.get(key) ?? this.#planGather(this.#ranges.times(rowsPerNode), index);
    this.#gathers.set(key, plan);
    const [sent] = this.#builder.apply(packRowsOp, [x, plan.sendIndex], null);
    const rowBytes = x.cols * 4;
    const gather = hostAlias("gatherPlaces", sent, (_, [words]) => {
      const first = Array.from(plan.bounds, (place) => place * rowBytes);
      const counts = first.slice(1).map((end, r) => end - first[r]);
      this.#ranks.allGather(
        new Uint8Array(words.buffer, words.byteOffset, words.byteLength),
        counts,
        first.slice(0, -1),
      );
    });
    const [gathered] = this.#builder.apply(gather, [sent], null);
    return this.#builder.apply(gatherRowsOp, [gathered, plan.position], null)[0];
  }

  #planGather(ranges: RowRanges, index: Tensor): GatherPlan {
    const spec = { rows: size(index), cols: 1, dtype: "index" as const };
    const order = new Uint32Array(size(index));
    const bounds = new Uint32Array(ranges.size + 1);
    const plan = hostOp("planGather", [spec, spec], ([rows], [sendIndex, position]) => {
      sortByOwner(rows, ranges, order, bounds);
      position.fill(MISSING);
      for (let e = 0; e < bounds[ranges.size]; e++) position[order[e]] = e;
      sendIndex.fill(MISSING);
      for (let e = bounds[ranges.rank]; e < bounds[ranges.rank + 1]; e++) sendIndex[e] = rows[order[e]] - ranges.begin;
    });
    const [sendIndex, position] = this.#builder.apply(plan, [index], null);
    return { sendIndex, position, bounds };
  }
}
