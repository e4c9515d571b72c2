/**
 * The most probable missing edges of a relation: the pairs with the largest scores of the model's decoder that are not edges.
 *
 * All pairs are scored, one tile (a product of two matrices) after another, so that memory does not grow with their number.
 * A pair must join the kinds of nodes that the relation joins; in an undirected graph each pair is scored once. The result
 * also has the scores of common-neighbour baselines, which need no training.
 */

import type { Embedding, TrainedDecoder } from "../../core/embedding.js";
import { InputError, suggest } from "../../core/errors.js";
import { nextTurn } from "../../core/event-loop.js";
import { int, requireOption } from "../../core/options.js";
import { type KeysOf, requireKeys, type StopSignal } from "../../core/validation.js";
import { type Engine, requireEngine } from "../../engine/engine.js";
import { matmul } from "../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../engine/program.js";
import { hasEdge, listEdges } from "../../graph/edge-ends.js";
import { type Multiplex, requireVectorsOf } from "../../graph/multiplex.js";
import { unitRows } from "../../numeric/rows.js";
import { findNodes } from "../neighbors/find-nodes.js";
import { bestAdamicAdarPairs } from "./adamic-adar-pairs.js";
import { BestPairs, type ScoredPair } from "./best-pairs.js";
import { countFittingPairs, isReversed, kindsFit } from "./kinds-fit.js";
import { linkBaselines } from "./link-baselines.js";
import { decoderScorer } from "./pair-scorers.js";

/** Options of `predictLinks`. */
export interface LinkPredictionOptions {
  /** Name of the relation. */
  readonly relation: string;
  /** Number of pairs to list; default 20. */
  readonly count?: number;
  /** Id of a node: only its pairs are scored, in a directed graph only those that start at it. */
  readonly node?: string;
  /** The engine that computes the scores. */
  readonly engine: Engine;
  /** Called after each row of tiles with the share of the work done, from 0 to 1; if it returns a promise, that is awaited. */
  readonly onProgress?: (done: number) => void | Promise<void>;
  readonly signal?: StopSignal;
}

/** A predicted edge: a pair that is not an edge of the relation. */
export interface PredictedLink {
  readonly source: string;
  readonly target: string;
  readonly score: number;
  /** Share of the relation's edges that have a lower score, from 0 to 1. */
  readonly edgesBelow: number;
  /** Scores of the baselines, in the order of `baselines`. */
  readonly baselines: readonly number[];
  /** Names of other relations in which the two nodes are linked, in either direction. */
  readonly otherRelations: readonly string[];
}

/** The most probable missing edges of one relation. */
export interface LinkPrediction {
  readonly relation: string;
  /** Number of pairs that could be listed: they have the kinds of nodes that the relation joins, and are not edges. */
  readonly numPairs: number;
  /** Likeliest first. */
  readonly links: readonly PredictedLink[];
  /** Names of the baselines. */
  readonly baselines: readonly string[];
  /**
   * Share of `links` that are also among the same number of pairs with the largest Adamic–Adar index over all relations; null
   * if the graph is too large for it or its pairs have no common neighbours.
   */
  readonly sameAsBaseline: number | null;
  /** Whether the listed pairs have the same score in both directions. */
  readonly symmetric: boolean;
}

/** Relative difference up to which two scores count as equal: float32 products were summed in another order. */
const SAME_SCORE = 1e-4;

const OPTIONS: KeysOf<LinkPredictionOptions> = {
  relation: true,
  count: true,
  node: true,
  engine: true,
  onProgress: true,
  signal: true,
};

/** Option schema of `count` for commands. */
export const COUNT_OPTION = int(20, { min: 1, value: "K", doc: "number of pairs to list" });
/** Maximum number of pairs that are scored: half an hour of one core at width 128. */
export const MAX_PAIRS = 2e10;
/** A tile of scores of this size, 2 MB, stays in the cache while it is searched. */
const TILE_ROWS = 512;
const TILE_COLUMNS = 1024;
/** Maximum number of edges whose scores are compared with those of the predicted pairs. */
const MAX_EDGES_SCORED = 200_000;

/** Finds the most probable missing edges of a relation. */
export async function predictLinks(
  decoder: TrainedDecoder,
  graph: Multiplex,
  options: LinkPredictionOptions,
): Promise<LinkPrediction> {
  requireKeys(options, OPTIONS, "predict-links");
  requireEngine(options.engine, "predict-links");
  const { count = COUNT_OPTION.default, node } = options;
  requireOption(COUNT_OPTION, count, "predict-links: count");
  const relation = findRelation(graph, options.relation);
  const { source, target } = decoder.vectors(relation);
  requireVectorsOf(graph, source, "predict-links");
  const n = graph.numNodes;
  const place = node === undefined ? undefined : findNodes(graph.ids, [node], "predict-links")[0];
  const numScored = place !== undefined ? n - 1 : graph.directed ? n * (n - 1) : (n * (n - 1)) / 2;
  if (numScored > MAX_PAIRS) {
    throw new InputError(
      `predict-links: ${n} nodes make ${numScored.toPrecision(3)} pairs; expected at most ${MAX_PAIRS.toPrecision(1)}. Name a node.`,
    );
  }
  const best = await bestPairs(decoder, { source, target }, graph, relation, { ...options, count, place });
  const pairs = {
    source: Uint32Array.from(best, (pair) => pair.source),
    target: Uint32Array.from(best, (pair) => pair.target),
  };
  const score = decoderScorer({ ...decoder, vectors: () => (target === undefined ? { source } : { source, target }) });
  const scores = score(relation, pairs);
  const edges = listEdges(graph.relations[relation], graph.directed);
  const edgeScores = score(relation, evenSample(edges, MAX_EDGES_SCORED)).sort();
  const columns = neighbourBaselines(graph).map(({ name, score: baseline }) => ({
    name,
    scores: baseline(relation, pairs),
  }));
  const reversedPair = isReversed(graph, relation);
  const rows = best.map(
    ({ source: a, target: b }, i): PredictedLink => ({
      source: graph.ids[reversedPair(a, b) ? b : a],
      target: graph.ids[reversedPair(a, b) ? a : b],
      score: scores[i],
      edgesBelow: edgeScores.length === 0 ? 0 : countBelow(edgeScores, scores[i]) / edgeScores.length,
      baselines: columns.map((column) => column.scores[i]),
      otherRelations: graph.relations
        .filter((other, d) => d !== relation && (hasEdge(other, a, b) || hasEdge(other, b, a)))
        .map(({ name }) => name),
    }),
  );
  const reversed = score(relation, { source: pairs.target, target: pairs.source });
  const baselinePairs = bestAdamicAdarPairs(graph, relation, count, place);
  const inBaseline = new Set(baselinePairs?.map((pair) => pair.source * n + pair.target));
  const numShared = best.filter((pair) => inBaseline.has(pair.source * n + pair.target)).length;
  return {
    relation: options.relation,
    numPairs:
      place === undefined
        ? countFittingPairs(graph, relation) - edges.source.length
        : countPartners(graph, relation, place),
    links: rows.sort((a, b) => b.score - a.score),
    baselines: columns.map(({ name }) => name),
    sameAsBaseline: baselinePairs === undefined || best.length === 0 ? null : numShared / best.length,
    symmetric: scores.every((value, i) => Math.abs(value - reversed[i]) <= SAME_SCORE * (1 + Math.abs(value))),
  };
}

/** The number of nodes that a node could be linked to in a relation. */
function countPartners(graph: Multiplex, relation: number, place: number): number {
  const fits = kindsFit(graph, relation);
  let count = 0;
  for (let j = 0; j < graph.numNodes; j++) {
    if (j !== place && fits(place, j) && !hasEdge(graph.relations[relation], place, j)) count++;
  }
  return count;
}

/** The index of the relation with this name; throws if there is none. */
export function findRelation({ relations }: Multiplex, name: string): number {
  const found = relations.findIndex((relation) => relation.name === name);
  if (found >= 0) return found;
  throw new InputError(
    `predict-links: unknown relation "${name}"${suggest(
      name,
      relations.map((relation) => relation.name),
    )}`,
  );
}

/** Common neighbours in the relation, and Adamic–Adar over all relations; degree products if no pair has common neighbours. */
function neighbourBaselines(graph: Multiplex) {
  const all = linkBaselines(graph);
  const baselines = [
    all.find(({ name, ownRelation }) => name === "common neighbours" && ownRelation === graph.relations.length > 1),
    all.find(({ name, ownRelation }) => name === "Adamic–Adar" && !ownRelation),
  ].filter((found) => found !== undefined);
  return baselines.length > 0
    ? baselines
    : all.filter(({ name, ownRelation }) => name === "degree product" && !ownRelation);
}

interface Search extends LinkPredictionOptions {
  readonly count: number;
  readonly place: number | undefined;
}

async function bestPairs(
  { score, directed }: TrainedDecoder,
  ends: { readonly source: Embedding; readonly target?: Embedding },
  graph: Multiplex,
  relation: number,
  { engine, count, place, onProgress, signal }: Search,
): Promise<readonly ScoredPair[]> {
  const { left, right, width } = factors(ends, score, directed);
  const n = graph.numNodes;
  const rows = place === undefined ? Math.min(n, TILE_ROWS) : 1;
  const columns = Math.min(n, TILE_COLUMNS);
  const builder = new ProgramBuilder();
  const a = builder.input("left", rows, width);
  const b = builder.input("right", columns, width);
  let product!: Tensor;
  builder.segment("tile", () => {
    product = matmul(a, b, true);
    return [product];
  });
  const best = new BestPairs(count);
  const fits = kindsFit(graph, relation);
  const edges = graph.relations[relation];
  const once = !graph.directed && place === undefined;
  const executable = await engine.compile(builder.finish());
  const write = (tensor: Tensor, from: Float32Array, start: number, number: number) =>
    executable.write(tensor, (data) => {
      data.fill(0);
      data.set(from.subarray(start * width, (start + number) * width));
    });
  try {
    const [begin, end] = place === undefined ? [0, n] : [place, place + 1];
    for (let top = begin; top < end; top += rows) {
      signal?.throwIfAborted();
      const numRows = Math.min(rows, end - top);
      write(a, left, top, numRows);
      const firstTile = once ? Math.floor(top / columns) * columns : 0;
      for (let side = firstTile; side < n; side += columns) {
        const numColumns = Math.min(columns, n - side);
        write(b, right, side, numColumns);
        executable.run("tile");
        const found = await executable.read(product);
        for (let r = 0; r < numRows; r++) {
          const i = top + r;
          for (let c = once ? Math.max(0, i + 1 - side) : 0, at = r * columns + c; c < numColumns; c++, at++) {
            if (!(found[at] >= best.minScore)) continue;
            const j = side + c;
            if (i !== j && !hasEdge(edges, i, j) && fits(i, j)) best.add(i, j, found[at]);
          }
        }
      }
      await onProgress?.(Math.min(1, (top + numRows - begin) / (end - begin)));
      await nextTurn();
    }
  } finally {
    await executable.dispose();
  }
  return best.sorted();
}

/** Rows whose inner products are the scores; in an undirected graph the mean of both directions. */
function factors(
  { source, target = source }: { readonly source: Embedding; readonly target?: Embedding },
  score: TrainedDecoder["score"],
  directed: boolean,
): { left: Float32Array; right: Float32Array; width: number } {
  const { dim } = source;
  const [heads, tails] = [source, target].map(({ vectors }) => (score === "cosine" ? unitRows(vectors, dim) : vectors));
  if (directed || target === source) return { left: heads, right: tails, width: dim };
  const n = heads.length / dim;
  const left = new Float32Array(2 * heads.length);
  const right = new Float32Array(2 * heads.length);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < dim; k++) {
      const [head, tail] = [heads[i * dim + k], tails[i * dim + k]];
      left[2 * i * dim + k] = head / 2;
      left[(2 * i + 1) * dim + k] = tail / 2;
      right[2 * i * dim + k] = tail;
      right[(2 * i + 1) * dim + k] = head;
    }
  }
  return { left, right, width: 2 * dim };
}

/** At most `maxEdges` edges, evenly spaced. */
function evenSample({ source, target }: ReturnType<typeof listEdges>, maxEdges: number): ReturnType<typeof listEdges> {
  const step = Math.max(1, Math.ceil(source.length / maxEdges));
  return { source: source.filter((_, i) => i % step === 0), target: target.filter((_, i) => i % step === 0) };
}

function countBelow(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
