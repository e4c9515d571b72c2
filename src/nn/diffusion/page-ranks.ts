/**
 * The largest personalised PageRanks of every node: R = Σ_k α·(1−α)^k·P^k, row by row (walked-rows.ts), without storing an
 * n × n matrix. Several processes divide the rows.
 */

import { nextTurn } from "../../core/event-loop.js";
import { ALONE } from "../../core/sharing.js";
import type { Stage } from "../../core/work.js";
import type { RowPart } from "../../numeric/row-parts.js";
import { LargestEntries } from "../../numeric/top-entries.js";
import type { PrecomputeTools } from "../model.js";
import type { TransitionMatrix } from "./transition-matrix.js";
import { MAX_TERMS, stepsOfRow, WalkedRows } from "./walked-rows.js";

/**
 * Entries kept in each row, fewer if all rows would have more than MAX_ENTRIES: from 65,537 nodes on. The time of all later products
 * grows with them. On five graphs, 32 entries classified as well as 128 in the mean (docs/notebook/default-model.md).
 */
const MAX_KEPT = 128;
const MIN_KEPT = 32;
const MAX_ENTRIES = 2 ** 23;
/** Rows between two reports of the progress. */
const ROWS_PER_STEP = 256;

const STAGE = "personalised PageRank";

export interface PageRanks {
  /** The largest entries of R without its diagonal. */
  readonly parts: readonly RowPart[];
  /** The mean of each column of R, which includes the entries that are not kept. */
  readonly columnMeans: Float64Array;
}

/** Entries kept in each row of a graph with so many nodes. */
export function keptEntries(numNodes: number): number {
  return Math.min(numNodes, MAX_KEPT, Math.max(MIN_KEPT, Math.floor(MAX_ENTRIES / numNodes)));
}

/**
 * The stage of `pageRanks` for a transition matrix with so many entries. In larger graphs a step takes longer, because fewer of the
 * nodes that it reads are in a cache; the power of the number of nodes was fitted to graphs of 20,000 to a million nodes.
 */
export function pageRanksStage(numNodes: number, entries: number): Stage {
  const steps = numNodes * Math.min(MAX_TERMS * entries, stepsOfRow(numNodes));
  return { name: STAGE, work: { entries: 0.18 * numNodes ** 0.25 * steps }, minWork: { entries } };
}

/** The largest PageRanks of all rows. */
export async function pageRanks(walk: TransitionMatrix, tools: PrecomputeTools): Promise<PageRanks> {
  const { sharing = ALONE } = tools;
  const { numRows } = walk;
  const walked = await sharing.byRows(numRows, (begin, end) => ranksOfRows(walk, begin, end, tools));
  const columnMeans = new Float64Array(numRows);
  for (const { sums } of walked) for (let j = 0; j < numRows; j++) columnMeans[j] += sums[j];
  for (let j = 0; j < numRows; j++) columnMeans[j] /= numRows;
  return { parts: walked.map(({ part }) => part), columnMeans };
}

interface RanksOfRows {
  readonly part: RowPart;
  /** Sums of the columns of R over these rows. */
  readonly sums: Float64Array;
}

async function ranksOfRows(
  walk: TransitionMatrix,
  begin: number,
  end: number,
  { signal, onStep }: PrecomputeTools,
): Promise<RanksOfRows> {
  const { numRows } = walk;
  const kept = keptEntries(numRows);
  const rowStart = new Uint32Array(end - begin + 1);
  const columns = new Uint32Array((end - begin) * kept);
  const values = new Float32Array((end - begin) * kept);
  const sums = new Float64Array(numRows);
  const rounding = roundingTerm(numRows);
  const walked = new WalkedRows(walk);
  const { nodes, ranks } = walked;
  const largest = new LargestEntries(nodes.length);
  // the walk of a row starts at its node, so that the first entry is the diagonal
  const [others, ranksOfOthers] = [nodes.subarray(1), ranks.subarray(1)];
  const steps = Math.ceil((end - begin) / ROWS_PER_STEP);
  let at = 0;
  for (let row = 0; row < end - begin; row++) {
    if (row % ROWS_PER_STEP === 0) {
      await onStep?.(STAGE, row / ROWS_PER_STEP, steps);
      await nextTurn();
      signal?.throwIfAborted();
    }
    const size = walked.walkRow(begin + row);
    for (let t = 0; t < size; t++) sums[nodes[t]] += ranks[t] + rounding - rounding;
    const chosen = largest.select(others, ranksOfOthers, size - 1, kept);
    insertSorted(others, ranksOfOthers, chosen, columns, values, at);
    at += chosen;
    rowStart[row + 1] = at;
  }
  await onStep?.(STAGE, steps, steps);
  const part = { firstRow: begin, rowStart, columns: columns.subarray(0, at), values: values.subarray(0, at) };
  return { part, sums };
}

/**
 * Added to a rank and subtracted again, this term rounds it to a multiple of 2^-52 times the first power of two above n. Sums of at
 * most n such numbers, each at most 1, are exact, so they do not depend on the order of the rows.
 */
function roundingTerm(numRows: number): number {
  return 1.5 * 2 ** Math.ceil(Math.log2(numRows + 1));
}

/** Copies the first `size` entries to `columns` and `values` from `first` on, in ascending order of their columns. */
function insertSorted(
  nodes: Uint32Array,
  ranks: Float64Array,
  size: number,
  columns: Uint32Array,
  values: Float32Array,
  first: number,
): void {
  for (let t = 0; t < size; t++) {
    const node = nodes[t];
    let place = first + t;
    for (; place > first && columns[place - 1] > node; place--) {
      columns[place] = columns[place - 1];
      values[place] = values[place - 1];
    }
    columns[place] = node;
    values[place] = ranks[t];
  }
}
