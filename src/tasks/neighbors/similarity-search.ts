/**
 * Similarity search: Sim@k, the share of a node's k nearest others by cosine that have its label (one of its labels, if
 * it has several), averaged over nodes. Searched and found are the same nodes: all labelled ones, or the test nodes of a
 * split (DMGI).
 */

import { type Embedding, requireEmbeddings } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { int } from "../../core/options.js";
import { Rng } from "../../core/rng.js";
import { type KeysOf, requireCount, requireKeys, valueText } from "../../core/validation.js";
import { largestOf, smallestOf } from "../../numeric/extremes.js";
import { type Rows, unitRows } from "../../numeric/rows.js";
import { ROW_KINDS, type RowKind, rowsOfKind, selectRows } from "../classification/standardize.js";
import { type NodeLabels, requireSharedLabels } from "../labels/labelled-nodes.js";
import { evaluatedNodes } from "../labels/node-split.js";
import { type Spread, spread } from "../metrics/mean-deviation.js";

/** How many nodes are looked for, and by how many. */
export interface SearchOptions {
  /** Only the test nodes of this split. */
  readonly split?: ReadonlyMap<string, string>;
  /** Default 5, 10, 20, 50, 100; those with fewer other nodes are left out. */
  readonly counts?: readonly number[];
  /** Nodes searched for, drawn at random where there are more; default 5000. Found are always all. */
  readonly queries?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Shares of nearest nodes with the same label, of one kind of rows. */
export interface SearchRow {
  readonly rows: RowKind;
  /** Sim@k by k. */
  readonly simAtK: readonly { readonly k: number; readonly share: Spread }[];
}

/** How often the nearest nodes have the same label. */
export interface SimilaritySearch {
  readonly nodes: number;
  readonly queries: number;
  readonly part: "all" | "test";
  readonly embeddings: number;
  readonly seed: number;
  /** What random vectors would give: the share of pairs of nodes with a label in common. */
  readonly chance: number;
  readonly results: readonly SearchRow[];
  readonly notes: readonly string[];
}

const COUNTS: readonly number[] = [5, 10, 20, 50, 100];

/** The options as a schema; for commands. */
export const SEARCH_OPTIONS = {
  queries: int(5000, { min: 1, doc: "number of nodes that are searched for, drawn at random if there are more" }),
  seed: int(1, { min: 0, doc: "seed of the draw" }),
};

const OPTIONS: KeysOf<SearchOptions> = { split: true, counts: true, queries: true, seed: true };

/** Sim@k of one embedding, or of several of the same graph from different seeds. */
export function searchSimilar(
  embeddings: readonly Embedding[],
  labels: NodeLabels,
  options: SearchOptions = {},
): SimilaritySearch {
  requireEmbeddings(embeddings, "search");
  requireKeys(options, OPTIONS, "search");
  const {
    split,
    seed = SEARCH_OPTIONS.seed.default,
    counts: wanted = COUNTS,
    queries: mostQueries = SEARCH_OPTIONS.queries.default,
  } = options;
  if (!Array.isArray(wanted) || wanted.length === 0) {
    throw new InputError(`search: counts is ${valueText(wanted)}; expected a list of whole numbers from 1.`);
  }
  for (const k of wanted) requireCount(k, "search: counts");
  requireCount(mostQueries, "search: queries");
  const notes = new Set<string>();
  const chosen = embeddings.map((embedding) => evaluatedNodes(embedding.ids, labels, split));
  const fewest = smallestOf(chosen.map(({ nodes }) => nodes.ids.length));
  if (fewest < 2) throw new InputError(`search: ${fewest} labelled node; expected two or more.`);
  for (const { nodes } of chosen) requireSharedLabels(nodes);
  const counts = wanted.filter((k) => k < fewest);
  const dropped = wanted.filter((k) => k >= fewest);
  if (counts.length === 0)
    throw new InputError(
      `search: ${fewest} labelled nodes for k of ${wanted.join(", ")}; expected more than ${smallestOf(wanted)} of them.`,
    );
  if (dropped.length > 0)
    notes.add(`no Sim@${dropped.join(", Sim@")}: each of ${fewest} nodes has ${fewest - 1} others only.`);
  const parts = embeddings.map((embedding, i) => {
    const { nodes } = chosen[i];
    const n = nodes.ids.length;
    for (const note of chosen[i].notes) notes.add(note);
    const queries = drawQueries(n, mostQueries, new Rng(seed, "queries"));
    if (queries.length < n)
      notes.add(`searched for ${queries.length} of ${n} nodes, drawn at random, among all of them.`);
    const shares = ROW_KINDS.map((kind) =>
      simAtK(selectRows(rowsOfKind(embedding, kind), nodes.rows), nodes.labels, queries, counts),
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
      simAtK: counts.map((k, place) => ({ k, share: spread(parts.map(({ shares }) => [shares[r][place]])) })),
    })),
    notes: [...notes],
  };
}

function drawQueries(n: number, most: number, rng: Rng): Uint32Array {
  const order = new Uint32Array(n);
  if (most >= n) return order.map((_, i) => i);
  rng.permutation(order);
  return order.slice(0, most).sort();
}

/** Sim@k for each of `counts`. A vector of zeros has cosine 0 with all; of equal cosines the first node comes first. */
export function simAtK(
  rows: Rows,
  labels: readonly (readonly number[])[],
  queries: ArrayLike<number>,
  counts: readonly number[],
): number[] {
  const unit = { ...rows, data: unitRows(rows.data, rows.width) };
  const n = labels.length;
  const most = largestOf(counts);
  const sums = new Float64Array(counts.length);
  const cosines = new Float64Array(n);
  const order = counts.map((k, c) => ({ k, c })).sort((a, b) => a.k - b.k);
  for (let q = 0; q < queries.length; q++) {
    const query = queries[q];
    cosinesTo(unit, query, cosines);
    cosines[query] = -Infinity;
    const nearest = largest(cosines, most);
    let shared = 0;
    let place = 0;
    for (const { k, c } of order) {
      for (; place < k; place++) if (shareLabel(labels[query], labels[nearest[place]])) shared++;
      sums[c] += shared / k;
    }
  }
  return Array.from(sums, (sum) => sum / queries.length);
}

/** Four rows at a time: four sums that do not wait for each other. */
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

/** Places of the `count` largest values, largest first. */
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

/** More sets of labels than this are not all compared. */
const MAX_SETS = 1000;
const DRAWN_PAIRS = 1_000_000;

/** The share of pairs with a label in common. Nodes with the same labels are counted together; of many sets pairs are drawn. */
function sharedPairs(labels: readonly (readonly number[])[], rng: Rng): number {
  const sets = new Map<string, { own: readonly number[]; count: number }>();
  for (const own of labels) {
    const key = own.join(" ");
    const set = sets.get(key);
    if (set === undefined) sets.set(key, { own, count: 1 });
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
    for (let j = 0; j < i; j++) if (shareLabel(a.own, list[j].own)) shared += 2 * a.count * list[j].count;
  });
  return shared / (labels.length * (labels.length - 1));
}
