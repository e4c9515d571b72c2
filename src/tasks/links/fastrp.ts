/**
 * FastRP: random projections of powers of the random walk's transition matrix (Chen, Sultan, Tian, Chen, Skiena,
 * CIKM 2019). With P = D⁻¹A, L = diag(d_j / 2m)^β and R a very sparse random matrix (±√3 with probability 1/6 each):
 *
 *   Z = Σ_q w_q · rows of P^q·L·R scaled to length 1,   q = 1 … hops
 *
 * Nothing is trained. Scaling the rows of each power to length 1 follows the authors' code. A node without edges has a zero
 * vector.
 */

import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import type { CsrPattern } from "../../numeric/csr.js";

export interface FastRpOptions {
  /** Default 128. */
  readonly dim?: number;
  /** w_1, w_2, …: one weight per hop; default 1, 1, 1. */
  readonly weights?: readonly number[];
  /** Default 1. */
  readonly seed?: number;
}

const WEIGHTS: readonly number[] = [1, 1, 1];
/** β; negative, so that nodes with many edges count less. */
const NORMALIZATION = -0.5;

/** One vector per node of an undirected simple graph; the adjacency must be symmetric. */
export function fastRpEmbedding(
  { rowStart, columns }: CsrPattern,
  ids: readonly string[],
  options: FastRpOptions = {},
): Embedding {
  const { dim = 128, weights = WEIGHTS, seed = 1 } = options;
  const numNodes = ids.length;
  const rng = new Rng(seed, "fastrp");
  let current = new Float32Array(numNodes * dim);
  for (let i = 0; i < numNodes; i++) {
    const degree = rowStart[i + 1] - rowStart[i];
    const scale = degree === 0 ? 0 : Math.sqrt(3) * (degree / columns.length) ** NORMALIZATION;
    for (let k = 0; k < dim; k++) {
      const side = rng.below(6);
      current[i * dim + k] = side === 0 ? scale : side === 1 ? -scale : 0;
    }
  }
  const vectors = new Float32Array(numNodes * dim);
  let next = new Float32Array(numNodes * dim);
  const sum = new Float64Array(dim);
  for (const weight of weights) {
    for (let i = 0; i < numNodes; i++) {
      sum.fill(0);
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        for (let k = 0, at = columns[e] * dim; k < dim; k++) sum[k] += current[at++];
      }
      const degree = Math.max(1, rowStart[i + 1] - rowStart[i]);
      let square = 0;
      for (let k = 0; k < dim; k++) square += (sum[k] / degree) ** 2;
      const factor = square > 0 ? weight / Math.sqrt(square) : 0;
      for (let k = 0; k < dim; k++) {
        next[i * dim + k] = sum[k] / degree;
        vectors[i * dim + k] += (factor * sum[k]) / degree;
      }
    }
    [current, next] = [next, current];
  }
  return { ids, dim, vectors };
}
