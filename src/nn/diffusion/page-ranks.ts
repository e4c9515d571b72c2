/**
 * The largest personalised PageRanks of every node: R = Σ_k α·(1−α)^k·P^k, row by row (walked-rows.ts), without storing an
 * n × n matrix.
 */

import { nextTurn } from "../../core/event-loop.js";
import type { Stage } from "../../core/work.js";
import type { WeightedCsr } from "../../numeric/csr.js";
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

/**
 * The largest entries of R without its diagonal, columns in any order, and the mean of each column of R, which includes the entries that
 * are not kept.
 */
export interface PageRanks extends WeightedCsr {
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
export async function pageRanks(walk: TransitionMatrix, { signal, onStep }: PrecomputeTools): Promise<PageRanks> {
  const { numRows } = walk;
  const kept = keptEntries(numRows);
  const largest = new LargestEntries(numRows);
  const rowStart = new Uint32Array(numRows + 1);
  const columns = new Uint32Array(numRows * kept);
  const values = new Float32Array(numRows * kept);
  const sums = new Float64Array(numRows);
  const walked = new WalkedRows(walk);
  const { nodes, ranks } = walked;
  // the walk of a row starts at its node, so that the first entry is the diagonal
  const [others, ranksOfOthers] = [nodes.subarray(1), ranks.subarray(1)];
  const steps = Math.ceil(numRows / ROWS_PER_STEP);
  let end = 0;
  for (let i = 0; i < numRows; i++) {
    if (i % ROWS_PER_STEP === 0) {
      await onStep?.(STAGE, i / ROWS_PER_STEP, steps);
      await nextTurn();
      signal?.throwIfAborted();
    }
    const size = walked.walkRow(i);
    for (let t = 0; t < size; t++) sums[nodes[t]] += ranks[t];
    const chosen = largest.select(others, ranksOfOthers, size - 1, kept);
    columns.set(others.subarray(0, chosen), end);
    for (let t = 0; t < chosen; t++) values[end + t] = ranksOfOthers[t];
    end += chosen;
    rowStart[i + 1] = end;
  }
  await onStep?.(STAGE, steps, steps);
  return {
    rowStart,
    columns: columns.subarray(0, end),
    values: values.subarray(0, end),
    columnMeans: sums.map((sum) => sum / numRows),
  };
}
