/**
 * t-SNE of an embedding to the plane (van der Maaten, Hinton 2008) with Barnes–Hut repulsion (van der Maaten 2014).
 *
 * Steps: find the nearest neighbours of each node; compute affinities with the requested perplexity; initialise the map with the
 * first two principal components; minimise KL(P ‖ Q) by gradient descent with early exaggeration. The result does not depend on
 * the number of threads.
 *
 * Deviations from the 2014 paper, each common practice since:
 *  1. The initial map is the principal components scaled to a standard deviation of 1e-4 (Kobak, Berens 2019). It keeps the
 *     large-scale arrangement and replaces the random initialisation of the paper. Noise with a standard deviation of 1e-6 separates nodes
 *     with equal vectors.
 *  2. The learning rate grows with the number of points, n / exaggeration (Belkina et al. 2019): with the fixed rate of
 *     200 of the paper, maps of more than a few thousand points have not converged after a thousand iterations. Both rates are for
 *     a gradient without its factor 4. The gradient here includes the factor, so the rate is divided by 4.
 *  3. The neighbour search is exact up to `MAX_EXACT_MULTIPLY_ADDS`; above, it uses an inverted-file index with a recall of about
 *     0.97 (neighbors/search/find-nearest.ts).
 *  4. Repulsion is computed for four points at once. A cell of the quadtree is summarised only if the criterion of the paper
 *     holds for all four, so the error is at most that of the paper. The engine webgpu compares all pairs and has no such error.
 *  5. If there are more nodes than `sample`, t-SNE maps a random sample. The coordinates of each remaining node are a weighted
 *     mean of the coordinates of its nearest sampled nodes.
 */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { InternalError } from "../../core/errors.js";
import { requireOption } from "../../core/options.js";
import { Rng } from "../../core/rng.js";
import { type KeysOf, requireKeys, requireSignal, type StopSignal } from "../../core/validation.js";
import { chooseEngine } from "../../engine/create-engine.js";
import { type Engine, requireEngine } from "../../engine/engine.js";
import { selectRows } from "../classification/standardize.js";
import type { SearchReport } from "../neighbors/search/find-nearest.js";
import { conditionalAffinities, type Neighbors, symmetricAffinities } from "./affinities.js";
import { type Descent, descend } from "./gradient-descent.js";
import { centerAndScale, pca } from "./pca.js";
import { exactPointNeighbors, findPointNeighbors } from "./point-neighbors.js";
import { TSNE_OPTIONS } from "./tsne-options.js";

/** Standard deviation of the first coordinate of the initial map. */
const INITIAL_DEVIATION = 1e-4;
/** Standard deviation of the noise added to the initial map. */
const INITIAL_NOISE = 1e-6;
/** Neighbours per unit of perplexity; the affinities of farther ones are negligible (van der Maaten 2014, §4.1). */
const NEIGHBORS_PER_PERPLEXITY = 3;
/** Minimum number of points for t-SNE; fewer are mapped by their principal components. */
const MIN_POINTS = 4;
/**
 * Maximum number of multiply-adds of an exact neighbour search: 62,000 nodes of 64 columns, about half a minute on two cores.
 * It is a constant so that the same vectors give the same map on every machine.
 */
const MAX_EXACT_MULTIPLY_ADDS = 2.5e11;
/** Number of sampled nodes whose weighted mean gives the coordinates of a node outside the sample. Not tuned. */
const PLACING_NEIGHBORS = 10;
/** Perplexity (effective number) of these nodes. Not tuned. */
const PLACING_PERPLEXITY = 3;

/** Progress of a map. */
export interface TsneProgress {
  readonly stage: "neighbors" | "map" | "placing";
  /** Finished units of the stage. neighbors: nodes searched; map: iterations; placing: nodes placed. */
  readonly done: number;
  readonly total: number;
  /** KL(P ‖ Q); only in every fiftieth iteration. */
  readonly divergence?: number;
}

/** Options of `tsne`. */
export interface TsneOptions {
  /** Effective number of neighbours, at least 1; default 30. Values above a third of the number of other nodes are reduced to it. */
  readonly perplexity?: number;
  /** Number of iterations, default 1000. Early exaggeration lasts for the first quarter, at most 250 iterations. */
  readonly iterations?: number;
  /** Seed of the noise that separates equal vectors, and of the sample; default 1. */
  readonly seed?: number;
  /**
   * Maximum number of nodes that t-SNE maps, at least 1000; default 100,000. If there are more nodes, it maps a random sample;
   * each remaining node is placed at the weighted mean of its ten nearest sampled nodes.
   */
  readonly sample?: number;
  /** Default: WebAssembly with one thread per core. */
  readonly engine?: Engine;
  /** An abort stops the iterations; `tsne` then returns the current map. */
  readonly signal?: StopSignal;
  /** Called during the computation. If it returns a promise, `tsne` awaits it; if that promise rejects, `tsne` rejects too. */
  readonly onProgress?: (progress: TsneProgress) => void;
}

const OPTIONS: KeysOf<TsneOptions> = {
  perplexity: true,
  iterations: true,
  seed: true,
  sample: true,
  engine: true,
  signal: true,
  onProgress: true,
};

/** Coordinates of the nodes in the plane, and how they were computed. */
export interface TsneMap extends Embedding, Descent {
  /** The perplexity that was used: at most a third of the number of other nodes. */
  readonly perplexity: number;
  /** Number of neighbours per node. */
  readonly neighbors: number;
  /** Number of nodes mapped by t-SNE; the others were placed by their nearest mapped nodes. */
  readonly mapped: number;
  /** Whether the neighbours are exact; if not, their recall. */
  readonly search: SearchReport;
}

/** Maps an embedding to the plane by t-SNE. The map has `dim` 2 and mean zero. */
export async function tsne(embedding: Embedding, options: TsneOptions = {}): Promise<TsneMap> {
  requireKeys(options, OPTIONS, "tsne");
  requireVectors(embedding, "tsne");
  requireSignal(options.signal, "tsne: signal");
  const { iterations = TSNE_OPTIONS.iterations.default, seed = TSNE_OPTIONS.seed.default, signal } = options;
  const n = embedding.ids.length;
  const requested = options.perplexity ?? TSNE_OPTIONS.perplexity.default;
  requireOption(TSNE_OPTIONS.perplexity, requested, "tsne: perplexity");
  requireOption(TSNE_OPTIONS.iterations, iterations, "tsne: iterations");
  const { sample = TSNE_OPTIONS.sample.default } = options;
  requireOption(TSNE_OPTIONS.sample, sample, "tsne: sample");
  if (options.engine !== undefined) requireEngine(options.engine, "tsne");
  if (n > sample) return mapSample(embedding, sample, options);
  const perplexity = Math.max(1, Math.min(requested, (n - 1) / 3));
  const k = Math.max(0, Math.min(n - 1, Math.floor(NEIGHBORS_PER_PERPLEXITY * perplexity)));
  const start = initialMap(embedding, seed);
  const toMap = (vectors: Float32Array, outcome: Descent, search: SearchReport = { method: "exact" }): TsneMap => {
    return { ids: embedding.ids, dim: 2, vectors, perplexity, neighbors: k, mapped: n, search, ...outcome };
  };
  const noIterations = { iterations: 0, startDivergence: Number.NaN, divergence: Number.NaN };
  if (n < MIN_POINTS) return toMap(pca(embedding).vectors, { ...noIterations, stopReason: "iterations" });
  const engine = options.engine ?? (await chooseEngine());
  const neighbors = await findNeighbors(embedding, k, engine, options);
  if (neighbors === undefined || signal?.aborted) return toMap(start, { ...noIterations, stopReason: "aborted" });
  const affinities = symmetricAffinities(neighbors, conditionalAffinities(neighbors, perplexity));
  const { vectors, outcome } = await descend(start, affinities, engine, {
    iterations,
    signal,
    onIteration: (done, divergence) => options.onProgress?.({ stage: "map", done, total: iterations, divergence }),
  });
  return toMap(vectors, outcome, neighbors.search);
}

/** The initial map: the first two principal components at a small scale, with noise. */
function initialMap(embedding: Embedding, seed: number): Float32Array {
  const { vectors, variances } = pca(embedding);
  const factor = variances[0] > 0 ? INITIAL_DEVIATION / Math.sqrt(variances[0]) : 0;
  const rng = new Rng(seed, "tsne/start");
  return vectors.map((value) => value * factor + INITIAL_NOISE * rng.normal());
}

/** The k nearest neighbours of every node, and the search method; undefined if the signal was aborted. */
async function findNeighbors(
  embedding: Embedding,
  k: number,
  engine: Engine,
  { signal, onProgress }: TsneOptions,
): Promise<(Neighbors & { readonly search: SearchReport }) | undefined> {
  const { dim, ids } = embedding;
  // Shifting and scaling all vectors does not change t-SNE, and it keeps the squares from overflowing.
  const points = { data: centerAndScale(embedding).data, width: dim };
  const onSearched = (done: number, total: number) => onProgress?.({ stage: "neighbors", done, total });
  if (ids.length ** 2 * dim > MAX_EXACT_MULTIPLY_ADDS) {
    return findPointNeighbors(engine, points, undefined, k, "approximate", { signal, onSearched });
  }
  const found = await exactPointNeighbors(engine, points, k, { signal, onSearched });
  return found === undefined ? undefined : { ...found, search: { method: "exact" } };
}

/** t-SNE of a random sample. Each remaining node is at the mean of its nearest sampled nodes, weighted by affinity. */
async function mapSample(embedding: Embedding, count: number, options: TsneOptions): Promise<TsneMap> {
  const { ids, dim } = embedding;
  const engine = options.engine ?? (await chooseEngine());
  const order = new Uint32Array(ids.length);
  new Rng(options.seed ?? 1, "tsne/sample").permutation(order);
  const [sample, rest] = [order.slice(0, count).sort(), order.slice(count).sort()];
  const map = await tsne(rowsAt(embedding, sample), { ...options, engine, sample: count });
  const { data } = centerAndScale(embedding);
  const k = Math.min(PLACING_NEIGHBORS, count);
  const pointsAt = (nodes: Uint32Array) => selectRows({ data, width: dim }, nodes);
  // The signal is ignored here, so that the map has coordinates for all nodes even after an abort.
  const nearest = await findPointNeighbors(engine, pointsAt(sample), pointsAt(rest), k, "auto", {
    onSearched: (done, total) => options.onProgress?.({ stage: "placing", done, total }),
  });
  if (nearest === undefined) throw new InternalError("tsne: the search of placing neighbours was aborted");
  const shares = conditionalAffinities(nearest, Math.min(PLACING_PERPLEXITY, k));
  const vectors = new Float32Array(2 * ids.length);
  sample.forEach((node, i) => {
    vectors.set(map.vectors.subarray(2 * i, 2 * i + 2), 2 * node);
  });
  rest.forEach((node, i) => {
    for (let axis = 0; axis < 2; axis++) {
      let sum = 0;
      for (let e = i * k; e < (i + 1) * k; e++) sum += shares[e] * map.vectors[2 * nearest.indices[e] + axis];
      vectors[2 * node + axis] = sum;
    }
  });
  return { ...map, ids, vectors };
}

function rowsAt({ ids, dim, vectors }: Embedding, nodes: Uint32Array): Embedding {
  const rows = new Float32Array(nodes.length * dim);
  nodes.forEach((node, i) => {
    rows.set(vectors.subarray(node * dim, (node + 1) * dim), i * dim);
  });
  return { ids: Array.from(nodes, (node) => ids[node]), dim, vectors: rows };
}
