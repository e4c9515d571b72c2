/** Seconds of an epoch and of a run, from counts of work and the rates of the kernels. */

import type { RunEstimate } from "../train/estimate.js";

/*
 * Per thread and second, fitted to epochs of `embed` with two threads on 2 × Neoverse-N1, Node 20, relaxed SIMD: block
 * models of 300 and 20,000 nodes and seven real graphs of 2,000 to 28,000 nodes. Within a fifth on the idle machine;
 * other work on it can double the seconds.
 */
const DENSE_MULTIPLY_ADDS = 11e9;
const STREAMED_BYTES = 9e9;
const SPARSE_MULTIPLY_ADDS = 5e9;
/** The same when the rows that are gathered do not stay in the cache. */
const SPARSE_MULTIPLY_ADDS_FAR = 0.9e9;
const CACHED_BYTES = 8e6;
/** Of pairs of rows, with what it takes to draw and to group them. */
const GATHERED_MULTIPLY_ADDS = 0.85e9;

export interface EpochShape {
  readonly threads: number;
  readonly numNodes: number;
  readonly dim: number;
}

export function estimateEpochSeconds(estimate: RunEstimate, { threads, numNodes, dim }: EpochShape): number {
  const { sparseMultiplyAdds, denseMultiplyAdds, gatheredMultiplyAdds, streamedBytes } = estimate;
  const gathered = numNodes * 2 * dim * 4; // clean and shuffled vectors side by side
  const sparseRate = gathered > CACHED_BYTES ? SPARSE_MULTIPLY_ADDS_FAR : SPARSE_MULTIPLY_ADDS;
  return (
    (sparseMultiplyAdds / sparseRate +
      denseMultiplyAdds / DENSE_MULTIPLY_ADDS +
      gatheredMultiplyAdds / GATHERED_MULTIPLY_ADDS +
      streamedBytes / STREAMED_BYTES) /
    threads
  );
}

/** Of all epochs and of the trainings before them; early stopping may end a run sooner, what is worked out before comes on top. */
export function estimateRunSeconds(estimate: RunEstimate, shape: EpochShape): number {
  const parts = estimate.parts.reduce((sum, part) => sum + estimateRunSeconds(part, shape), 0);
  return parts + estimate.epochs * estimateEpochSeconds(estimate, shape);
}
