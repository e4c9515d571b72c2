/** Seconds of an epoch, from counts of work and the rates of the kernels. */

import type { RunEstimate } from "../train/estimate.js";

/** Per thread and second: fitted to epochs of `embed` on 2 × Neoverse-N1, Node 20, relaxed SIMD. */
const SPARSE_MULTIPLY_ADDS = 1.5e9;
const DENSE_MULTIPLY_ADDS = 6e9;
const STREAMED_BYTES = 6e9;

export function estimateEpochSeconds(estimate: RunEstimate, threads: number): number {
  const { sparseMultiplyAdds, denseMultiplyAdds, streamedBytes } = estimate;
  return (
    (sparseMultiplyAdds / SPARSE_MULTIPLY_ADDS +
      denseMultiplyAdds / DENSE_MULTIPLY_ADDS +
      streamedBytes / STREAMED_BYTES) /
    threads
  );
}
