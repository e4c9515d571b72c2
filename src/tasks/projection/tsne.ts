/**
 * t-SNE of an embedding to the plane (van der Maaten, Hinton 2008) with Barnes–Hut repulsion (van der Maaten 2014).
 *
 * Nearest neighbours (exact up to some ten thousand nodes), affinities of a given perplexity, start at the first two principal components, gradient
 * descent with early exaggeration. For one seed the result is the same for any number of threads.
 *
 * Deviations from the 2014 paper, each common practice since:
 *  1. The start is the principal components at a deviation of 1e-4 (Kobak, Berens 2019), which keeps the large-scale
 *     arrangement and needs no luck; a hundredth of that in noise moves equal vectors apart.
 *  2. The learning rate grows with the number of points, n / exaggeration (Belkina et al. 2019): with the fixed 200 of the
 *     paper, maps of more than some thousand points are not finished after a thousand iterations. Both are for a gradient
 *     without its factor 4; ours has it, hence the division.
 *  3. Neighbours are searched exactly up to `MAX_EXACT_WORK`, otherwise by an inverted-file index with a recall of about
 *     0.97 (neighbors/find-nearest.ts).
 *  4. A node of the quadtree is taken as a whole for four points at once, and only if each of them may take it: the error
 *     is at most that of the paper.
 *  5. Of more nodes than `sample` a random sample is mapped; each other node is placed by its nearest sampled ones.
 */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { InputError, InternalError } from "../../core/errors.js";
import { nextTurn } from "../../core/event-loop.js";
import { Rng } from "../../core/rng.js";
import { type KeysOf, requireCount, requireKeys, requireSignal } from "../../core/validation.js";
import { gradients } from "../../engine/autograd.js";
import { type Engine, requireEngine } from "../../engine/engine.js";
import { tsneLoss, tsneUpdate } from "../../engine/ops/index.js";
import { ProgramBuilder } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import type { SearchReport } from "../neighbors/find-nearest.js";
import { exactNeighbors, likelyNeighbors } from "../neighbors/nearest-points.js";
import { conditionalAffinities, type Neighbors, symmetricAffinities } from "./affinities.js";
import { centredUnit, pca } from "./pca.js";
import { EXAGGERATED_ITERATIONS, MIN_SAMPLE, TSNE_OPTIONS } from "./tsne-options.js";

const THETA = 0.5;
const EXAGGERATION = 12;
const EARLY_MOMENTUM = 0.5;
const MOMENTUM = 0.8;
/** For a gradient without its factor 4. */
const MIN_RATE = 200;
const GRADIENT_FACTOR = 4;
const START_DEVIATION = 1e-4;
const START_NOISE = 1e-6;
/** Neighbours considered per unit of perplexity: farther ones have no share to speak of (van der Maaten 2014, §4.1). */
const NEIGHBORS_PER_PERPLEXITY = 3;
/** Fewer points than this have no neighbourhoods to keep. */
const MIN_POINTS = 4;
/**
 * Multiply-adds of an exact search of neighbours, at most: 62,000 nodes of 64 columns, about half a minute on two cores. A
 * constant, so that the same vectors give the same map on any machine.
 */
const MAX_EXACT_WORK = 2.5e11;
/** Mapped nodes that a node is placed by, and the effective number of them. */
const PLACING_NEIGHBORS = 10;
const PLACING_PERPLEXITY = 3;
/** Iterations between two computations of the divergence: it costs as much as one. */
const REPORT_EVERY = 50;
const YIELD_MILLISECONDS = 50;

/** How far a map is. */
export interface TsneProgress {
  readonly stage: "neighbors" | "map" | "placing";
  /** Points searched, iterations made, or nodes placed. */
  readonly done: number;
  readonly total: number;
  /** KL(P ‖ Q), now and then. */
  readonly divergence?: number;
}

/** How a map is made. */
export interface TsneOptions {
  /** Effective number of neighbours, from 1; default 30, at most a third of the other nodes. */
  readonly perplexity?: number;
  /** Default 1000; the first quarter, at most 250, is exaggerated. */
  readonly iterations?: number;
  /** Of the noise that moves equal vectors apart, and of the sample; default 1. */
  readonly seed?: number;
  /**
   * Nodes that are mapped by t-SNE itself, from 1000; default 100,000. Of more nodes as many are drawn at random, and each
   * other one is put at the weighted mean of its ten nearest drawn ones.
   */
  readonly sample?: number;
  /** Default: WebAssembly with as many threads as the machine runs at once. */
  readonly engine?: Engine;
  /** Ends the work; the map made so far is returned. */
  readonly signal?: AbortSignal;
  /** A promise it returns is awaited; where it fails, so does the map. */
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

/** Places of the nodes in the plane, and how they were found. */
export interface TsneMap extends Embedding {
  /** As used: not above a third of the other nodes. */
  readonly perplexity: number;
  /** Neighbours per node. */
  readonly neighbors: number;
  /** Nodes mapped by t-SNE itself; the others were placed by them. */
  readonly mapped: number;
  /** Whether the neighbours are exact, and their recall if not. */
  readonly search: SearchReport;
  /** Iterations made: 0 for fewer than four nodes, or when stopped before the first; then it is the start. */
  readonly iterations: number;
  readonly stopReason: "iterations" | "aborted";
  /** KL(P ‖ Q) at the start and at the end; NaN without iterations. */
  readonly startDivergence: number;
  readonly divergence: number;
}

/** The map of an embedding by t-SNE: `dim` 2, mean zero. */
export async function tsne(embedding: Embedding, options: TsneOptions = {}): Promise<TsneMap> {
  requireKeys(options, OPTIONS, "tsne");
  requireVectors(embedding, "tsne");
  requireSignal(options.signal, "tsne: signal");
  const { iterations = TSNE_OPTIONS.iterations.default, seed = TSNE_OPTIONS.seed.default, signal } = options;
  const n = embedding.ids.length;
  const wanted = options.perplexity ?? TSNE_OPTIONS.perplexity.default;
  if (!(wanted >= 1 && Number.isFinite(wanted))) {
    throw new InputError(`tsne: perplexity is ${wanted}; expected a number of at least 1`);
  }
  requireCount(iterations, "tsne: iterations");
  const { sample = TSNE_OPTIONS.sample.default } = options;
  requireCount(sample, "tsne: sample", MIN_SAMPLE);
  if (options.engine !== undefined) requireEngine(options.engine, "tsne");
  if (n > sample) return mapSample(embedding, sample, options);
  const perplexity = Math.max(1, Math.min(wanted, (n - 1) / 3));
  const k = Math.max(0, Math.min(n - 1, Math.floor(NEIGHBORS_PER_PERPLEXITY * perplexity)));
  const start = startingMap(embedding, seed);
  const result = (vectors: Float32Array, outcome: Outcome, search: SearchReport = { method: "exact" }): TsneMap => {
    return { ids: embedding.ids, dim: 2, vectors, perplexity, neighbors: k, mapped: n, search, ...outcome };
  };
  const unmade = { iterations: 0, startDivergence: Number.NaN, divergence: Number.NaN };
  if (n < MIN_POINTS) return result(pca(embedding).vectors, { ...unmade, stopReason: "iterations" });
  const engine = options.engine ?? (await createWasmEngine());
  const neighbors = await findNeighbors(embedding, k, engine, options);
  if (neighbors === undefined || signal?.aborted) return result(start, { ...unmade, stopReason: "aborted" });
  const affinities = symmetricAffinities(neighbors, conditionalAffinities(neighbors, perplexity));
  const { vectors, outcome } = await optimize(start, affinities, engine, { ...options, iterations });
  return result(vectors, outcome, neighbors.search);
}

type Outcome = Pick<TsneMap, "iterations" | "stopReason" | "startDivergence" | "divergence">;

/** The first two principal components at a small scale, with noise. */
function startingMap(embedding: Embedding, seed: number): Float32Array {
  const { vectors, variances } = pca(embedding);
  const factor = variances[0] > 0 ? START_DEVIATION / Math.sqrt(variances[0]) : 0;
  const rng = new Rng(seed, "tsne/start");
  return vectors.map((value) => value * factor + START_NOISE * rng.normal());
}

/** The k nearest neighbours of every node and how they were searched; undefined when stopped. */
async function findNeighbors(
  embedding: Embedding,
  k: number,
  engine: Engine,
  { signal, onProgress }: TsneOptions,
): Promise<(Neighbors & { readonly search: SearchReport }) | undefined> {
  const { dim, ids } = embedding;
  // t-SNE does not see shifts and scales; without them no square overflows
  const points = { data: centredUnit(embedding).data, dim };
  const onSearched = (done: number, total: number) => onProgress?.({ stage: "neighbors", done, total });
  if (ids.length ** 2 * dim > MAX_EXACT_WORK) {
    return likelyNeighbors(engine, points, undefined, k, "approximate", { signal, onSearched });
  }
  const found = await exactNeighbors(engine, points, k, { signal, onSearched });
  return found === undefined ? undefined : { ...found, search: { method: "exact" } };
}

/** t-SNE of a sample; every other node at the mean of its nearest sampled ones, weighted by their affinities. */
async function mapSample(embedding: Embedding, count: number, options: TsneOptions): Promise<TsneMap> {
  const { ids, dim } = embedding;
  const engine = options.engine ?? (await createWasmEngine());
  const order = new Uint32Array(ids.length);
  new Rng(options.seed ?? 1, "tsne/sample").permutation(order);
  const [sample, rest] = [order.slice(0, count).sort(), order.slice(count).sort()];
  const map = await tsne(rowsAt(embedding, sample), { ...options, engine, sample: count });
  const { data } = centredUnit(embedding);
  const k = Math.min(PLACING_NEIGHBORS, count);
  const points = { data: selectRows(data, dim, sample), dim };
  // a map that was stopped is placed whole: places of some nodes alone would be no map
  const near = await likelyNeighbors(engine, points, { data: selectRows(data, dim, rest), dim }, k, "auto", {
    onSearched: (done, total) => options.onProgress?.({ stage: "placing", done, total }),
  });
  if (near === undefined) throw new InternalError("tsne: placing was stopped");
  const shares = conditionalAffinities(near, Math.min(PLACING_PERPLEXITY, k));
  const vectors = new Float32Array(2 * ids.length);
  sample.forEach((node, i) => {
    vectors.set(map.vectors.subarray(2 * i, 2 * i + 2), 2 * node);
  });
  rest.forEach((node, i) => {
    for (let axis = 0; axis < 2; axis++) {
      let sum = 0;
      for (let e = i * k; e < (i + 1) * k; e++) sum += shares[e] * map.vectors[2 * near.indices[e] + axis];
      vectors[2 * node + axis] = sum;
    }
  });
  return { ...map, ids, vectors };
}

function selectRows(data: Float64Array, dim: number, places: Uint32Array): Float64Array {
  const rows = new Float64Array(places.length * dim);
  places.forEach((place, i) => {
    rows.set(data.subarray(place * dim, (place + 1) * dim), i * dim);
  });
  return rows;
}

function rowsAt({ ids, dim, vectors }: Embedding, places: Uint32Array): Embedding {
  const rows = new Float32Array(places.length * dim);
  places.forEach((place, i) => {
    rows.set(vectors.subarray(place * dim, (place + 1) * dim), i * dim);
  });
  return { ids: Array.from(places, (place) => ids[place]), dim, vectors: rows };
}

async function optimize(
  start: Float32Array,
  affinities: SparseOperator,
  engine: Engine,
  { iterations, signal, onProgress }: TsneOptions & { readonly iterations: number },
): Promise<{ vectors: Float32Array; outcome: Outcome }> {
  const n = affinities.numRows;
  const builder = new ProgramBuilder();
  const y = builder.parameter("y", n, 2);
  const velocity = builder.state("velocity", n, 2);
  const gains = builder.state("gains", n, 2);
  const exaggeration = builder.input("exaggeration", 1, 1);
  const schedule = builder.input("schedule", 1, 2);
  const attributes = { affinities, theta: THETA };
  builder.segment("step", () => {
    const [gradient] = gradients(tsneLoss(y, exaggeration, attributes), [y]);
    if (gradient === undefined) throw new InternalError("tsne: no gradient");
    tsneUpdate({ y, velocity, gains }, gradient, schedule);
    return [];
  });
  let loss!: typeof y;
  builder.segment("divergence", () => {
    loss = tsneLoss(y, exaggeration, attributes);
    return [loss];
  });
  const executable = await engine.compile(builder.finish());
  try {
    executable.write(y, (data) => data.set(start));
    executable.write(gains, (data) => data.fill(1));
    const divergenceNow = (iteration: number): number => {
      executable.write(exaggeration, (data) => data.fill(1));
      executable.run("divergence");
      const value = executable.read(loss)[0];
      if (!Number.isFinite(value))
        throw new InternalError(`tsne: the divergence is ${value} at iteration ${iteration}`);
      return value;
    };
    const startDivergence = divergenceNow(0);
    const exaggerated = Math.min(EXAGGERATED_ITERATIONS, Math.floor(iterations / 4));
    const rate = Math.max(MIN_RATE, n / EXAGGERATION) / GRADIENT_FACTOR;
    let done = 0;
    let lastTurn = performance.now();
    while (done < iterations && !signal?.aborted) {
      const early = done < exaggerated;
      executable.write(exaggeration, (data) => data.fill(early ? EXAGGERATION : 1));
      executable.write(schedule, (data) => data.set([early ? EARLY_MOMENTUM : MOMENTUM, rate]));
      executable.run("step");
      done++;
      const divergence = done % REPORT_EVERY === 0 && done < iterations ? divergenceNow(done) : undefined;
      await onProgress?.({ stage: "map", done, total: iterations, divergence });
      if (performance.now() - lastTurn > YIELD_MILLISECONDS) {
        await nextTurn();
        lastTurn = performance.now();
      }
    }
    const divergence = divergenceNow(done);
    const vectors = Float32Array.from(executable.read(y));
    const stopReason = done < iterations ? "aborted" : "iterations";
    return { vectors, outcome: { iterations: done, stopReason, startDivergence, divergence } };
  } finally {
    await executable.dispose();
  }
}
