/**
 * Spectral embedding of a graph: the leading eigenvectors u_k of its degree-regularised adjacency Â (graph/normalize.ts).
 * Row i of the embedding is (√λ_k · u_k[i])_k, so that the dot product of two rows approximates an entry of Â: of all
 * matrices of that rank without negative eigenvalues the one given by the exact eigenvectors is nearest to Â.
 */

import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import { regularizedOperator, regularizedScales } from "../../graph/normalize.js";
import { type CsrPattern, rowLengths } from "../../numeric/csr.js";
import { leadingEigenvectors } from "../../numeric/eigen/leading-eigenvectors.js";

export interface SpectralOptions {
  /** Default 64. Columns beyond the number of nodes are zero. */
  readonly dim?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Width of the spectral vectors that models are compared with. */
export const SPECTRAL_DIM = 64;

/** One vector per node of an undirected simple graph, whose adjacency is symmetric. */
export function spectralEmbedding(
  adjacency: CsrPattern,
  ids: readonly string[],
  options: SpectralOptions = {},
): Embedding {
  const { dim = SPECTRAL_DIM, seed = 1 } = options;
  const matrix = regularizedOperator(adjacency, regularizedScales(rowLengths(adjacency)));
  const { data, width, values } = leadingEigenvectors(matrix, dim, new Rng(seed, "spectral"));
  const scales = values.map((value) => Math.sqrt(Math.max(0, value)));
  const vectors = new Float32Array(ids.length * dim);
  for (let i = 0; i < ids.length; i++) {
    for (let k = 0; k < width; k++) vectors[i * dim + k] = scales[k] * data[i * width + k];
  }
  return { ids, dim, vectors };
}
