/**
 * The k nearest candidates of each query, by an exact search or by an inverted-file index.
 *
 * Exact: every query is compared with every candidate. Approximate: each candidate belongs to the list of its nearest
 * centre, and a query is compared only with the lists of its nearest centres. The number of probed lists is the smallest
 * that reaches `TARGET_RECALL` on a sample of queries, which is also searched exactly. The reported recall is measured on
 * other queries. Both searches are deterministic: the choice depends on sizes and data, never on time or threads.
 */

import { Rng } from "../../../core/rng.js";
import type { StopSignal } from "../../../core/validation.js";
import type { Engine } from "../../../engine/engine.js";
import { MISSING } from "../../../engine/ops/index.js";
import { trainCenters, trainingWork } from "./list-centers.js";
import { emptyFound, type Found, groupByList, oneList, openSearch, type Queries } from "./list-search.js";
import { type Metric, rowWidth, type Vectors } from "./search-vectors.js";

/** `exact` compares every candidate; `auto` does so unless that would take more than about a minute on two cores. */
export type SearchMethod = "auto" | "exact" | "approximate";
export const SEARCH_METHODS: readonly SearchMethod[] = ["auto", "exact", "approximate"];

/** How neighbours were searched. */
export type SearchReport =
  | { readonly method: "exact" }
  | {
      readonly method: "approximate";
      /** Share of the exact k nearest that were found, measured on `sampled` queries that did not choose `probes`. */
      readonly recall: number;
      readonly sampled: number;
      readonly lists: number;
      /** Lists compared with each query. */
      readonly probes: number;
    };

/** Progress of a search: `done` of `total` steps of one stage. */
export interface SearchProgress {
  readonly stage: "index" | "sample" | "search";
  readonly done: number;
  readonly total: number;
}

export interface NearestInput {
  readonly engine: Engine;
  readonly metric: Metric;
  readonly candidates: Vectors;
  readonly queries: Omit<Queries, "order">;
  readonly k: number;
  readonly method: SearchMethod;
  readonly signal?: StopSignal;
  readonly onProgress?: (progress: SearchProgress) => void | Promise<void>;
}

/**
 * Multiply-adds above which `auto` prefers an approximate search: about a minute on two cores, at 9·10⁹ multiply-adds per
 * second and core (bench/neighbors.ts on Neoverse N1 with Node 20). A constant, so that the same command gives the same
 * neighbours on every machine.
 */
const MAX_EXACT_WORK = 1e12;
/** Recall that the number of probes aims at: above 0.95 by more than the error of the sample. */
const TARGET_RECALL = 0.97;
/** Number of sampled queries that choose the number of probes. */
const NUM_CHOOSING = 500;
/** Number of further sampled queries that measure the recall: a standard error of 0.3 points. */
const NUM_MEASURED = 1000;
/** Number of lists per square root of the number of candidates. Not tuned. */
const LISTS_PER_ROOT = 4;
/** Assumed share of the candidates that an approximate search compares with a query, for the estimate of its work. */
const ASSUMED_SHARE = 0.05;
/** Minimum number of candidates per list; fewer would not fill a panel of the kernel. */
const MIN_LIST = 16;

/** Finds the k nearest candidates of each query; undefined if the signal stopped the search. */
export async function findNearest(input: NearestInput): Promise<{ found: Found; report: SearchReport } | undefined> {
  const { candidates, queries, k } = input;
  const numQueries = queries.vectors.count;
  if (candidates.count === 0 || numQueries === 0) {
    return { found: emptyFound(numQueries, k), report: { method: "exact" } };
  }
  const approximate = input.method === "approximate" || (input.method === "auto" && prefersLists(input));
  if (approximate) return searchApproximately(input);
  const order = ascending(numQueries);
  const found = await searchExactly(input, order, "search", numQueries, true);
  return found === undefined ? undefined : { found, report: { method: "exact" } };
}

/** Whether an exact search takes long and an approximate one, including its index, takes less than half of that. */
function prefersLists({ metric, candidates, queries }: NearestInput): boolean {
  const [n, m, width] = [candidates.count, queries.vectors.count, rowWidth(metric, candidates.dim)];
  const exact = n * m * width;
  const lists = numListsFor(n);
  const sample = Math.min(m, NUM_CHOOSING + NUM_MEASURED);
  const work = trainingWork(n, lists, width) + (n + 2 * m) * lists * width + sample * n * width + ASSUMED_SHARE * exact;
  return exact > MAX_EXACT_WORK && work < exact / 2;
}

function numListsFor(count: number): number {
  return Math.max(1, Math.min(Math.round(LISTS_PER_ROOT * Math.sqrt(count)), Math.floor(count / MIN_LIST)));
}

async function searchExactly(
  { engine, metric, candidates, queries, k, signal, onProgress }: NearestInput,
  order: Uint32Array,
  stage: SearchProgress["stage"],
  rows: number,
  scatter: boolean,
): Promise<Found | undefined> {
  const found = emptyFound(rows, k);
  const lists = oneList(candidates.count);
  const input = { metric, candidates, lists, k, compared: candidates.count };
  const searcher = await openSearch(engine, input, order.length);
  try {
    const onSearched = (done: number) => onProgress?.({ stage, done, total: order.length });
    const whole = await searcher.search({ ...queries, order }, found, scatter, { signal, onSearched });
    return whole ? found : undefined;
  } finally {
    await searcher.dispose();
  }
}

async function searchApproximately(input: NearestInput): Promise<{ found: Found; report: SearchReport } | undefined> {
  const { engine, metric, candidates, queries, k, signal, onProgress } = input;
  const rng = new Rng(1, "neighbors");
  const numLists = numListsFor(candidates.count);
  const numQueries = queries.vectors.count;
  const same = queries.vectors === candidates;
  const total = 2 + (same ? 0 : 1);
  const centers = await trainCenters(engine, metric, candidates, numLists, rng.fork("centers", 0), {
    signal,
    onRound: (done, rounds) => onProgress?.({ stage: "index", done: done / rounds, total }),
  });
  if (centers === undefined) return undefined;
  const rank = (vectors: Vectors, order: Uint32Array, count: number, done: number) =>
    rankCenters(input, centers, vectors, order, count, (share) =>
      onProgress?.({ stage: "index", done: done + share, total }),
    );
  const listOf = await rank(candidates, ascending(candidates.count), 1, 1);
  if (listOf === undefined) return undefined;
  const listOfQuery = same ? listOf : await rank(queries.vectors, ascending(numQueries), 1, 2);
  if (listOfQuery === undefined) return undefined;
  const lists = groupByList(listOf, numLists);

  const drawn = new Uint32Array(numQueries);
  rng.permutation(drawn);
  const sample = drawn.slice(0, NUM_CHOOSING + NUM_MEASURED);
  const truth = await searchExactly(input, sample, "sample", sample.length, false);
  if (truth === undefined) return undefined;
  // with few queries, the same queries choose and measure
  const enough = sample.length > NUM_CHOOSING;
  const choosing = sample.subarray(0, NUM_CHOOSING);
  const ranks = await rankCenters(input, centers, queries.vectors, choosing, numLists);
  if (ranks === undefined) return undefined;
  const probes = chooseProbes(ranks, numLists, truth, listOf, choosing.length);

  const found = emptyFound(numQueries, k);
  const order = groupByList(listOfQuery, numLists).order;
  const compared = (candidates.count * probes) / numLists + numLists;
  const route = { centers, probes };
  const searcher = await openSearch(engine, { metric, candidates, lists, route, k, compared }, numQueries);
  try {
    const onSearched = (done: number) => onProgress?.({ stage: "search", done, total: numQueries });
    if (!(await searcher.search({ ...queries, order }, found, true, { signal, onSearched }))) return undefined;
  } finally {
    await searcher.dispose();
  }
  const first = enough ? NUM_CHOOSING : 0;
  const recall = measureRecall(found, truth, sample, first);
  return {
    found,
    report: { method: "approximate", recall, sampled: sample.length - first, lists: numLists, probes },
  };
}

function ascending(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}

/** The `count` nearest centres of each vector, nearest first; undefined when stopped. */
async function rankCenters(
  { engine, metric, signal }: NearestInput,
  centers: Vectors,
  vectors: Vectors,
  order: Uint32Array,
  count: number,
  onShare?: (share: number) => void | Promise<void>,
): Promise<Uint32Array | undefined> {
  const found = emptyFound(order.length, count);
  const input = { metric, candidates: centers, lists: oneList(centers.count), k: count, compared: centers.count };
  const searcher = await openSearch(engine, input, order.length);
  try {
    const onSearched = (done: number) => onShare?.(done / order.length);
    return (await searcher.search({ vectors, order }, found, false, { signal, onSearched })) ? found.names : undefined;
  } finally {
    await searcher.dispose();
  }
}

/** The smallest number of lists per query that hold `TARGET_RECALL` of the true neighbours of the first `count` sampled queries. */
function chooseProbes(ranks: Uint32Array, numLists: number, truth: Found, listOf: Uint32Array, count: number): number {
  const held = new Float64Array(numLists);
  const rankOf = new Uint32Array(numLists);
  let total = 0;
  for (let q = 0; q < count; q++) {
    for (let r = 0; r < numLists; r++) rankOf[ranks[q * numLists + r]] = r;
    for (let e = q * truth.k; e < (q + 1) * truth.k; e++) {
      if (truth.names[e] === MISSING) break;
      held[rankOf[listOf[truth.names[e]]]]++;
      total++;
    }
  }
  let sum = 0;
  for (let probes = 1; probes < numLists; probes++) {
    sum += held[probes - 1];
    if (sum >= TARGET_RECALL * total) return probes;
  }
  return numLists;
}

/**
 * Share of the true neighbours that were found, over the sampled queries from index `first` on. A found candidate counts if
 * its score reaches the score of the k-th true neighbour: it does not matter which of several equal candidates is found.
 */
function measureRecall(found: Found, truth: Found, sample: Uint32Array, first: number): number {
  const { k } = truth;
  let [hits, total] = [0, 0];
  for (let s = first; s < sample.length; s++) {
    let count = 0;
    while (count < k && truth.names[s * k + count] !== MISSING) count++;
    if (count === 0) continue;
    const limit = truth.scores[s * k + count - 1];
    total += count;
    for (let e = 0; e < count; e++) {
      const at = sample[s] * k + e;
      if (found.names[at] !== MISSING && found.scores[at] >= limit) hits++;
    }
  }
  return total === 0 ? 1 : hits / total;
}
