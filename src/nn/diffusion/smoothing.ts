/**
 * The diffusion applied to columns: R·X, R = Σ_k α·(1−α)^k·P^k, rows of R scaled to sum 1. Each node gets a mean over the nodes that its
 * walk visits. A node without edges keeps its own row.
 */

import { addWork, scaleWork, sparseProduct, type Work } from "../../core/work.js";
import { add, scaleRows, spmm } from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import { type SparseOperator, transposeOperator } from "../../engine/sparse.js";
import type { TransitionMatrix } from "./transition-matrix.js";
import { MAX_TERMS, RESTART } from "./walked-rows.js";

export interface Smoothing {
  /** R·X, traced for [n, k]. */
  apply(x: Tensor): Tensor;
  /** Rᵀ·X */
  applyTransposed(x: Tensor): Tensor;
}

/** `transposed`: the transpose of the transition matrix, if it is known. */
export function smoothing(walk: TransitionMatrix, transposed = transposeOperator(walk)): Smoothing {
  const { numRows, rowStart } = walk;
  const walking = 1 - (1 - RESTART) ** MAX_TERMS;
  const factors = Float32Array.from({ length: numRows }, (_, i) =>
    rowStart[i] === rowStart[i + 1] ? 1 : RESTART / walking,
  );
  const scaled = (x: Tensor) => scaleRows(x, x.builder.constant(factors, numRows, 1));
  return {
    apply: (x) => scaled(geometricSum(walk, x)),
    applyTransposed: (x) => geometricSum(transposed, scaled(x)),
  };
}

/** Σ_k (1−α)^k·M^k·X by Horner's rule: X + (1−α)·M·(X + (1−α)·M·(…)) */
function geometricSum(matrix: SparseOperator, x: Tensor): Tensor {
  let sum = x;
  for (let term = 1; term < MAX_TERMS; term++) sum = add(x, spmm(matrix, sum), 1 - RESTART);
  return sum;
}

/** Work of `apply` or `applyTransposed` for so many columns; `entries`: entries of the transition matrix. */
export function smoothingWork(numNodes: number, entries: number, width: number): Work {
  const term = addWork(sparseProduct(entries, numNodes, width), { streamed: 12 * numNodes * width });
  return scaleWork(term, MAX_TERMS - 1);
}
