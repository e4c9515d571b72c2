/**
 * The largest personalised PageRanks of every node: R = Σ_k α·(1−α)^k·P^k, row by row (walked-rows.ts), without storing an
 * n × n matrix. Threads and processes divide the rows.
 */

import { ALONE } from "../../core/sharing.js";
import type { Stage, Work } from "../../core/work.js";
import { hostThreads } from "../../engine/engine.js";
import type { RowPart } from "../../numeric/row-parts.js";
import type { PrecomputeTools } from "../model.js";
import { computeRows } from "../row-threads/compute-rows.js";
import { rankRows } from "./rank-rows.js";
import type { TransitionMatrix } from "./transition-matrix.js";
import { MAX_TERMS, stepsOfRow } from "./walked-rows.js";

/**
 * Entries kept in each row, fewer if all rows would have more than MAX_ENTRIES: from 65,537 nodes on. The time of all later products
 * grows with them. On five graphs, 32 entries classified as well as 128 in the mean (docs/notebook/default-model.md).
 */
const MAX_KEPT = 128;
const MIN_KEPT = 32;
const MAX_ENTRIES = 2 ** 23;
/** Steps along edges of all rows, from which on threads divide the rows: one or two seconds of one thread. Not tuned. */
const MIN_THREADED_STEPS = 2 ** 26;

const STAGE = rankRows.name;

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
  return {
    name: STAGE,
    work: rowsWork(numNodes, 0.18 * numNodes ** 0.25 * steps),
    minWork: { entries },
  };
}

/** Work of visiting so many entries for all rows. */
export function rowsWork(numNodes: number, entries: number): Work {
  return isThreaded(numNodes) ? { sharedEntries: entries } : { entries };
}

/** Whether threads divide the rows of a graph with so many nodes. */
function isThreaded(numNodes: number): boolean {
  return numNodes * stepsOfRow(numNodes) >= MIN_THREADED_STEPS;
}

/** Threads that divide the rows. Several processes use one each: threads would copy what the processes of a machine share. */
export function numRowThreads(numNodes: number, { engine, sharing = ALONE }: PrecomputeTools): number {
  return isThreaded(numNodes) && sharing.size === 1 ? hostThreads(engine) : 1;
}

/** The largest PageRanks of all rows. */
export async function pageRanks(walk: TransitionMatrix, tools: PrecomputeTools): Promise<PageRanks> {
  const { sharing = ALONE, signal, onStep } = tools;
  const { numRows } = walk;
  const threads = numRowThreads(numRows, tools);
  const request = { walk, kept: keptEntries(numRows) };
  const walked = await sharing.byRows(numRows, async (begin, end) => {
    const onRows = (done: number) => onStep?.(STAGE, done, end - begin);
    const rows = await computeRows(rankRows, request, { begin, end, threads, signal, onRows });
    await onRows(end - begin);
    return rows;
  });
  const columnMeans = new Float64Array(numRows);
  for (const { sums } of walked.flat()) for (let j = 0; j < numRows; j++) columnMeans[j] += sums[j];
  for (let j = 0; j < numRows; j++) columnMeans[j] /= numRows;
  return { parts: walked.flat().map(({ part }) => part), columnMeans };
}
