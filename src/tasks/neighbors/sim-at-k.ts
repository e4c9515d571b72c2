/**
 * Sim@k, the metric of similarity search: the share of a node's k nearest neighbours by cosine that have its label (one of
 * its labels, if it has several), averaged over the nodes. Queries and neighbours are the labelled nodes, or the test nodes
 * of a split (DMGI).
 */

import { type Embedding, requireEmbeddings, type VectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { int, requireOption } from "../../core/options.js";
import { Rng } from "../../core/rng.js";
import { type KeysOf, requireCount, requireKeys, valueText } from "../../core/validation.js";
import { largestOf, smallestOf } from "../../numeric/extremes.js";
import { type Rows, unitRows } from "../../numeric/rows.js";
import { ROW_KINDS, type RowKind, rowsOfNodes } from "../classification/standardize.js";
import { type NodeLabels, requireSharedLabels } from "../labels/labelled-nodes.js";
import { evaluatedNodes } from "../labels/node-split.js";
import { type RepeatedScore, summarizeRepeats } from "../metrics/mean-deviation.js";

/** Options of `searchSimilar`. */
export interface SearchOptions {
  /** Part (train, val, test) of each node; only test nodes are used. Default: all labelled nodes. */
  readonly split?: ReadonlyMap<string, string>;
  /** Values of k; default 5, 10, 20, 50, 100. Values that exceed the number of other nodes are skipped. */
  readonly counts?: readonly number[];
  /** Maximum number of query nodes; default 5000. With more nodes, the queries are a random sample. */
  readonly queries?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Sim@k of raw or of standardised vectors. */
export interface SearchRow {
  readonly rows: RowKind;
  /** Sim@k by k. */
  readonly simAtK: readonly { readonly k: number; readonly share: RepeatedScore }[];
}

/** Result of `searchSimilar`. */
export interface SimilaritySearch {
  readonly nodes: number;
  readonly queries: number;
  readonly part: "all" | "test";
  readonly embeddings: number;
  readonly seed: number;
  /** Sim@k of random vectors: the share of pairs of nodes with a label in common. */
  readonly chance: number;
  readonly results: readonly SearchRow[];
  readonly notes: readonly string[];
}

const DEFAULT_COUNTS: readonly number[] = [5, 10, 20, 50, 100];

/** Option schema for commands and library callers. */
export const SEARCH_OPTIONS = {
  queries: int(5000, { min: 1, doc: "number of nodes that are searched for, drawn at random if there are more" }),
  seed: int(1, { min: 0, doc: "seed of the draw" }),
};

const OPTIONS: KeysOf<SearchOptions> = { split: true, counts: true, queries: true, seed: true };

/** Sim@k of one embedding, or of several embeddings of the same graph from different seeds. */
export function searchSimilar(
  embeddings: readonly (Embedding | VectorRows)[],
  labels: NodeLabels,
  options: SearchOptions = {},
): SimilaritySearch {
  requireEmbeddings(embeddings, "search");
  requireKeys(options, OPTIONS, "search");
  const {
    split,
    seed = SEARCH_OPTIONS.seed.default,
    counts: requested = DEFAULT_COUNTS,
    queries: maxQueries = SEARCH_OPTIONS.queries.default,
  } = options;
  if (!Array.isArray(requested) || requested.length === 0) {
    throw new InputError(`search: counts is ${valueText(requested)}; expected a list of whole numbers from 1.`);
  }
  for (const k of requested) requireCount(k, "search: counts");
  requireOption(SEARCH_OPTIONS.queries, maxQueries, "search: queries");
  const notes = new Set<string>();
  const chosen = embeddings.map((embedding) => evaluatedNodes(embedding.ids, labels, split));
  const minNodes = smallestOf(chosen.map(({ nodes }) => nodes.ids.length));
  if (minNodes < 2) throw new InputError(`search: ${minNodes} labelled node; expected two or more.`);
  for (const { nodes } of chosen) requireSharedLabels(nodes);
  const counts = requested.filter((k) => k < minNodes);
  const skipped = requested.filter((k) => k >= minNodes);
  if (counts.length === 0)
    throw new InputError(
      `search: ${minNodes} labelled nodes for k of ${requested.join(", ")}; expected more than ${smallestOf(requested)} of them.`,
    );
  if (skipped.length > 0)
    notes.add(`no Sim@${skipped.join(", Sim@")}: each of ${minNodes} nodes has only ${minNodes - 1} others.`);
  const parts = embeddings.map((embedding, i) => {
    const { nodes } = chosen[i];
    const n = nodes.ids.length;
    for (const note of chosen[i].notes) notes.add(note);
    const queries = drawQueries(n, maxQueries, new Rng(seed, "queries"));
    if (queries.length < n)
      notes.add(`searched for ${queries.length} of ${n} nodes, drawn at random; their neighbours may be any node.`);
    const shares = ROW_KINDS.map((kind) =>
      simAtK(rowsOfNodes(embedding, kind, nodes.rows), nodes.labels, queries, counts),
    );
    return { nodes, numQueries: queries.length, shares };
  });
  const [{ nodes, numQueries }] = parts;
  return {
    nodes: nodes.ids.length,
    queries: numQueries,
    part: split === undefined ? "all" : "test",
    embeddings: embeddings.length,
    seed,
    chance: sharedPairs(nodes.labels, new Rng(seed, "chance")),
    results: ROW_KINDS.map((rows, r) => ({
      rows,
      simAtK: counts.map((k, c) => ({ k, share: summarizeRepeats(parts.map(({ shares }) => [shares[r][c]])) })),
    })),
    notes: [...notes],
  };
}

function drawQueries(n: number, maxQueries: number, rng: Rng): Uint32Array {
  const order = new Uint32Array(n);
  if (maxQueries >= n) return order.map((_, i) => i);
  rng.permutation(order);
  return order.slice(0, maxQueries).sort();
}

/** Sim@k for each k of `counts`. A zero vector has cosine 0 with all others; equal cosines are ordered by node. */
export function simAtK(
  rows: Rows,
  labels: readonly (readonly number[])[],
  queries: ArrayLike<number>,
  counts: readonly number[],
): number[] {
  const unit = { ...rows, data: unitRows(rows.data, rows.width) };
  const n = labels.length;
  const maxCount = largestOf(counts);
  const sums = new Float64Array(counts.length);
  const cosines = new Float64Array(n);
  const order = counts.map((k, c) => ({ k, c })).sort((a, b) => a.k - b.k);
  for (let q = 0; q < queries.length; q++) {
    const query = queries[q];
    cosinesTo(unit, query, cosines);
    cosines[query] = -Infinity;
    const nearest = largest(cosines, maxCount);
    let shared = 0;
    let place = 0;
    for (const { k, c } of order) {
      for (; place < k; place++) if (shareLabel(labels[query], labels[nearest[place]])) shared++;
      sums[c] += shared / k;
    }
  }
  return Array.from(sums, (sum) => sum / queries.length);
}

/** Cosines of row `query` with all rows, which have length one; four rows at a time, so that four sums run in parallel. */
function cosinesTo({ data, width }: Rows, query: number, out: Float64Array): void {
  const n = out.length;
  const at = query * width;
  let i = 0;
  for (; i + 3 < n; i += 4) {
    const r0 = i * width;
    const r1 = r0 + width;
    const r2 = r1 + width;
    const r3 = r2 + width;
    let [s0, s1, s2, s3] = [0, 0, 0, 0];
    for (let k = 0; k < width; k++) {
      const value = data[at + k];
      s0 += value * data[r0 + k];
      s1 += value * data[r1 + k];
      s2 += value * data[r2 + k];
      s3 += value * data[r3 + k];
    }
    out[i] = s0;
    out[i + 1] = s1;
    out[i + 2] = s2;
    out[i + 3] = s3;
  }
  for (; i < n; i++) {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += data[at + k] * data[i * width + k];
    out[i] = sum;
  }
}

/** Indices of the `count` largest values, largest first. */
function largest(values: Float64Array, count: number): Int32Array {
  const places = new Int32Array(count);
  let held = 0;
  for (let i = 0; i < values.length; i++) {
    if (held === count && !(values[i] > values[places[held - 1]])) continue;
    let at = held < count ? held++ : held - 1;
    for (; at > 0 && values[places[at - 1]] < values[i]; at--) places[at] = places[at - 1];
    places[at] = i;
  }
  return places;
}

function shareLabel(a: readonly number[], b: readonly number[]): boolean {
  return a.some((label) => b.includes(label));
}

/** Maximum number of distinct label sets that are all compared with each other. */
const MAX_SETS = 1000;
/** Number of random pairs that are compared instead if there are more sets. */
const DRAWN_PAIRS = 1_000_000;

/**
 * The share of pairs of nodes with a label in common. Nodes with the same set of labels are counted together; with more than
 * `MAX_SETS` sets the share is estimated from random pairs.
 */
function sharedPairs(labels: readonly (readonly number[])[], rng: Rng): number {
  const sets = new Map<string, { labelSet: readonly number[]; count: number }>();
  for (const labelSet of labels) {
    const key = labelSet.join(" ");
    const set = sets.get(key);
    if (set === undefined) sets.set(key, { labelSet, count: 1 });
    else set.count++;
  }
  const list = [...sets.values()];
  let shared = 0;
  if (list.length > MAX_SETS) {
    for (let i = 0; i < DRAWN_PAIRS; i++) {
      const a = rng.below(labels.length);
      const b = rng.below(labels.length - 1);
      if (shareLabel(labels[a], labels[b < a ? b : b + 1])) shared++;
    }
    return shared / DRAWN_PAIRS;
  }
  list.forEach((a, i) => {
    shared += a.count * (a.count - 1);
    for (let j = 0; j < i; j++) if (shareLabel(a.labelSet, list[j].labelSet)) shared += 2 * a.count * list[j].count;
  });
  return shared / (labels.length * (labels.length - 1));
}
