/**
 * Centres of the lists of an inverted-file index (Sivic, Zisserman, ICCV 2003; Jégou et al., TPAMI 2011): k-means on a
 * sample of the candidates; the engine assigns them to centres. With cosines the centres have length one (spherical
 * k-means).
 */

import type { Rng } from "../../../core/rng.js";
import type { StopSignal } from "../../../core/validation.js";
import type { Engine } from "../../../engine/engine.js";
import { emptyFound, oneList, openSearch } from "./list-search.js";
import { type Metric, plainVectors, type Vectors } from "./search-vectors.js";

/** Number of sampled candidates per centre. Not tuned. */
const SAMPLE_PER_CENTER = 32;
/** Rounds of k-means. Not tuned. */
const ROUNDS = 6;

/** Multiply-adds of `trainCenters`, for estimates. */
export function trainingWork(count: number, numCenters: number, width: number): number {
  return ROUNDS * Math.min(count, SAMPLE_PER_CENTER * numCenters) * numCenters * width;
}

/** `numCenters` centres of the candidates; undefined when stopped. `numCenters` must not exceed the number of candidates. */
export async function trainCenters(
  engine: Engine,
  metric: Metric,
  candidates: Vectors,
  numCenters: number,
  rng: Rng,
  hooks: { readonly signal?: StopSignal; readonly onRound?: (done: number, total: number) => void | Promise<void> },
): Promise<Vectors | undefined> {
  const { count, dim } = candidates;
  const order = new Uint32Array(count);
  rng.permutation(order);
  const sample = order.slice(0, Math.min(count, SAMPLE_PER_CENTER * numCenters));
  const centers = new Float32Array(numCenters * dim);
  for (let c = 0; c < numCenters; c++) candidates.copy(sample[c], centers, c * dim);
  const vectors = plainVectors(centers, dim);
  const input = { metric, candidates: vectors, lists: oneList(numCenters), k: 1, compared: numCenters };
  const searcher = await openSearch(engine, input, sample.length);
  try {
    const nearest = emptyFound(sample.length, 1);
    for (let round = 0; round < ROUNDS; round++) {
      if (!(await searcher.search({ vectors: candidates, order: sample }, nearest, false, hooks))) return undefined;
      moveCenters(metric, candidates, sample, nearest.names, centers, rng);
      searcher.replaceCandidates(vectors);
      await hooks.onRound?.(round + 1, ROUNDS);
    }
    return vectors;
  } finally {
    await searcher.dispose();
  }
}

/** Moves each centre to the mean of its points; a centre without points moves to a random point of the sample. */
function moveCenters(
  metric: Metric,
  candidates: Vectors,
  sample: Uint32Array,
  nearest: Uint32Array,
  centers: Float32Array,
  rng: Rng,
): void {
  const { dim } = candidates;
  const sums = new Float64Array(centers.length);
  const sizes = new Uint32Array(centers.length / dim);
  const row = new Float64Array(dim);
  for (let i = 0; i < sample.length; i++) {
    candidates.copy(sample[i], row, 0);
    sizes[nearest[i]]++;
    for (let c = 0, at = nearest[i] * dim; c < dim; c++) sums[at + c] += row[c];
  }
  for (let center = 0; center < sizes.length; center++) {
    const sum = sums.subarray(center * dim, (center + 1) * dim);
    const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
    const divisor = metric === "cosine" ? length : sizes[center];
    if (sizes[center] === 0 || !(divisor > 0)) {
      candidates.copy(sample[rng.below(sample.length)], centers, center * dim);
    } else {
      for (let c = 0; c < dim; c++) centers[center * dim + c] = sum[c] / divisor;
    }
  }
}
