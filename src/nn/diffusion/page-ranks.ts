/**
 * The largest personalised PageRanks of every node: R = Σ_k α·(1−α)^k·P^k, row by row (walked-rows.ts), without storing an
 * n × n matrix.
 */

import { nextTurn } from "../../core/event-loop.js";
import type { Stage } from "../../core/work.js";
import type { WeightedCsr } from "../../numeric/csr.js";
import { TopEntries } from "../../numeric/top-entries.js";
import type { PrecomputeTools } from "../model.js";
import type { TransitionMatrix } from "./transition-matrix.js";
import { MAX_TERMS, stepsOfRow, WalkedRows } from "./walked-rows.js";

/** Entries kept in each row, fewer if all rows would have more than MAX_ENTRIES. */
const MAX_KEPT = 128;
const MIN_KEPT = 32;
const MAX_ENTRIES = 2 ** 25;
/** Rows between two reports of the progress. */
const ROWS_PER_STEP = 256;

const STAGE = "personalised PageRank";

/** The largest entries of R without its diagonal, and the mean of each column of R, which includes the entries that are not kept. */
export interface PageRanks extends WeightedCsr {
  readonly columnMeans: Float64Array;
}

/** Entries kept in each row of a graph with so many nodes. */
export function keptEntries(numNodes: number): number {
  return Math.min(numNodes, MAX_KEPT, Math.max(MIN_KEPT, Math.floor(MAX_ENTRIES / numNodes)));
}

/** The stage of `pageRanks` for a transition matrix with so many entries. */
export function pageRanksStage(numNodes: number, entries: number): Stage {
  const steps = numNodes * Math.min(MAX_TERMS * entries, stepsOfRow(numNodes));
  return { name: STAGE, work: { entries: steps + 3 * entries }, minWork: { entries } };
}

/** The largest PageRanks of all rows, columns ascending. */
export async function pageRanks(walk: TransitionMatrix, { signal, onStep }: PrecomputeTools): Promise<PageRanks> {
  const { numRows } = walk;
  const rows = new KeptRows(numRows);
  const walked = new WalkedRows(walk);
  const steps = Math.ceil(numRows / ROWS_PER_STEP);
  for (let i = 0; i < numRows; i++) {
    if (i % ROWS_PER_STEP === 0) {
      await onStep?.(STAGE, i / ROWS_PER_STEP, steps);
      await nextTurn();
      signal?.throwIfAborted();
    }
    rows.begin(i);
    walked.visitRow(i, (j, rank) => rows.offer(j, rank));
    rows.end();
  }
  await onStep?.(STAGE, steps, steps);
  return rows.finish();
}

/** Collects the largest entries of one row after the other. */
class KeptRows {
  readonly #kept: number;
  readonly #top: TopEntries;
  readonly #keys = new Float64Array(MAX_KEPT);
  readonly #rowStart: Uint32Array;
  readonly #columns: Uint32Array;
  readonly #values: Float32Array;
  readonly #sums: Float64Array;
  #row = 0;
  #size = 0;

  constructor(numRows: number) {
    this.#kept = keptEntries(numRows);
    this.#top = new TopEntries(this.#kept);
    this.#rowStart = new Uint32Array(numRows + 1);
    this.#columns = new Uint32Array(numRows * this.#kept);
    this.#values = new Float32Array(numRows * this.#kept);
    this.#sums = new Float64Array(numRows);
  }

  begin(row: number): void {
    this.#row = row;
    this.#top.clear();
  }

  offer(column: number, rank: number): void {
    this.#sums[column] += rank;
    if (column !== this.#row) this.#top.offer(column, rank);
  }

  end(): void {
    const { size, indices, values } = this.#top;
    // sorts by column; the place k among the largest entries is in the remainder
    const keys = this.#keys.subarray(0, size);
    for (let k = 0; k < size; k++) keys[k] = indices[k] * MAX_KEPT + k;
    keys.sort();
    for (const key of keys) {
      const k = key % MAX_KEPT;
      this.#columns[this.#size] = indices[k];
      this.#values[this.#size++] = values[k];
    }
    this.#rowStart[this.#row + 1] = this.#size;
  }

  finish(): PageRanks {
    const numRows = this.#sums.length;
    return {
      rowStart: this.#rowStart,
      columns: this.#columns.slice(0, this.#size),
      values: this.#values.slice(0, this.#size),
      columnMeans: this.#sums.map((sum) => sum / numRows),
    };
  }
}
