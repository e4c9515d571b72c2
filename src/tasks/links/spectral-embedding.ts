/**
 * Spectral embedding of a graph: the leading eigenvectors of the degree-regularised normalised adjacency
 *
 *   Â = D_τ^(-1/2) · A · D_τ^(-1/2),  D_τ = D + τ·I,  τ = regularization · mean degree
 *
 * (Chaudhuri, Chung, Tsiatas, COLT 2012; without τ, small components take all leading places). Row i of the embedding is
 * (√λ_k · u_k[i])_k, so that the dot product of two rows is the entry of the best approximation of Â of that rank among
 * those without negative eigenvalues.
 *
 * Solved by subspace iteration with a Chebyshev filter and Rayleigh–Ritz (Zhou, Saad, SIAM J. Matrix Anal. Appl. 29(3),
 * 2007): the filter damps [−1, the smallest Ritz value of the block] and raises everything above. Double precision, one
 * column after another; the same seed gives the same bits.
 */

import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import type { CsrMatrix } from "../../graph/normalize.js";
import { symmetricEigen } from "../../numeric/symmetric-eigen.js";

export interface SpectralOptions {
  /** Default 64; at most the number of nodes. */
  readonly dim?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** τ over the mean degree. */
const REGULARIZATION = 1;
/** Columns iterated beyond those wanted, so that the last wanted one is well apart from what is damped. */
const EXTRA_COLUMNS = 16;
const FILTER_DEGREE = 10;
const MAX_ROUNDS = 30;
/** Residual ‖Âu − λu‖ of the wanted vectors, Â of norm 1; a tenth of it moves AUC on real graphs by 0.2 points at most. */
const TOLERANCE = 1e-2;
/** A column this much shorter once the others are taken out of it was a combination of them. */
const DEPENDENT = 1e-10;

type Column = Float64Array;

/** out ← α·Â·x + β·x + γ·y; `out` may be `y`. */
type Step = (x: Column, alpha: number, beta: number, gamma: number, y: Column, out: Column) => void;

/** Width of the spectral vectors that models are compared with. */
export const SPECTRAL_DIM = 64;

/** One vector per node of an undirected simple graph, whose adjacency is symmetric. */
export function spectralEmbedding(
  adjacency: CsrMatrix,
  ids: readonly string[],
  options: SpectralOptions = {},
): Embedding {
  const { dim = 64, seed = 1 } = options;
  const { values, vectors } = leadingEigenvectors(
    adjacency,
    ids.length,
    dim,
    REGULARIZATION,
    new Rng(seed, "spectral"),
  );
  const rows = new Float32Array(ids.length * dim);
  vectors.forEach((vector, k) => {
    const scale = Math.sqrt(Math.max(0, values[k]));
    for (let i = 0; i < ids.length; i++) rows[i * dim + k] = scale * vector[i];
  });
  return { ids, dim, vectors: rows };
}

/** The largest eigenvalues of Â and their vectors, at most `count`; τ is `regularization` times the mean degree. */
export function leadingEigenvectors(
  { rowStart, columns }: CsrMatrix,
  numNodes: number,
  count: number,
  regularization: number,
  rng: Rng,
): { values: Float64Array; vectors: Column[] } {
  const tau = (regularization * columns.length) / numNodes;
  const scale = Float64Array.from({ length: numNodes }, (_, i) => {
    const degree = rowStart[i + 1] - rowStart[i] + tau;
    return degree > 0 ? 1 / Math.sqrt(degree) : 0;
  });
  const scaled = new Float64Array(numNodes);
  const step: Step = (x, alpha, beta, gamma, y, out) => {
    for (let i = 0; i < numNodes; i++) scaled[i] = x[i] * scale[i];
    for (let i = 0; i < numNodes; i++) {
      let sum = 0;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += scaled[columns[k]];
      out[i] = alpha * sum * scale[i] + beta * x[i] + gamma * y[i];
    }
  };
  const width = Math.min(numNodes, count + EXTRA_COLUMNS);
  const wanted = Math.min(width, count);
  const random = (column: Column) => {
    for (let i = 0; i < numNodes; i++) column[i] = rng.normal();
  };
  let block: Column[] = Array.from({ length: width }, () => new Float64Array(numNodes));
  for (const column of block) random(column);
  const image = block.map(() => new Float64Array(numNodes));
  const work = [new Float64Array(numNodes), new Float64Array(numNodes)];
  let values = new Float64Array(width);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (round > 0) for (const column of block) filter(column, values[width - 1], step, work);
    orthonormalize(block, random);
    block.forEach((column, k) => {
      step(column, 1, 0, 0, column, image[k]);
    });
    const ritz = symmetricEigen(products(block, image), width);
    values = Float64Array.from(ritz.values);
    const rotatedImage = rotate(image, ritz.vectors.slice(0, wanted));
    block = rotate(block, ritz.vectors);
    if (largestResidual(block, rotatedImage, values, wanted) < TOLERANCE) break;
  }
  return { values: values.subarray(0, wanted), vectors: block.slice(0, wanted) };
}

/** x ← T_m((Â − c)/h)·x, T_m the Chebyshev polynomial that stays within ±1 on [c − h, c + h] = [−1, cut]. */
function filter(x: Column, cut: number, step: Step, work: readonly Column[]): void {
  const upper = Math.max(cut, -0.9); // an interval of some length, whatever the graph
  const centre = (upper - 1) / 2;
  const half = (upper + 1) / 2;
  let [previous, current, next] = [x, work[0], work[1]];
  step(previous, 1 / half, -centre / half, 0, previous, current);
  for (let degree = 2; degree <= FILTER_DEGREE; degree++) {
    step(current, 2 / half, (-2 * centre) / half, -1, previous, next);
    [previous, current, next] = [current, next, previous];
  }
  if (current !== x) x.set(current);
}

/** Gram–Schmidt, each column twice; a column that depends on the earlier ones is drawn anew. */
function orthonormalize(block: readonly Column[], random: (column: Column) => void): void {
  block.forEach((column, k) => {
    for (;;) {
      const before = Math.sqrt(dot(column, column));
      scaleBy(column, 1 / before);
      for (let pass = 0; pass < 2; pass++) {
        for (let j = 0; j < k; j++) subtract(column, dot(block[j], column), block[j]);
      }
      const left = Math.sqrt(dot(column, column));
      if (before > 0 && left > DEPENDENT) {
        scaleBy(column, 1 / left);
        return;
      }
      random(column);
    }
  });
}

/** Xᵀ·Y, symmetric up to rounding; by rows. */
function products(x: readonly Column[], y: readonly Column[]): Float64Array {
  const size = x.length;
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = i; j < size; j++) matrix[i * size + j] = matrix[j * size + i] = dot(x[i], y[j]);
  }
  return matrix;
}

/** The combinations of columns that the coefficient vectors name; four columns at a time, to read the sum less often. */
function rotate(block: readonly Column[], coefficients: readonly Float64Array[]): Column[] {
  const zeros = new Float64Array(block[0].length);
  return coefficients.map((weights) => {
    const sum = new Float64Array(block[0].length);
    for (let j = 0; j < block.length; j += 4) {
      const [a, b, c, d] = [block[j], block[j + 1] ?? zeros, block[j + 2] ?? zeros, block[j + 3] ?? zeros];
      const [p, q, r, s] = [weights[j], weights[j + 1] ?? 0, weights[j + 2] ?? 0, weights[j + 3] ?? 0];
      for (let i = 0; i < sum.length; i++) sum[i] += p * a[i] + q * b[i] + (r * c[i] + s * d[i]);
    }
    return sum;
  });
}

function largestResidual(
  block: readonly Column[],
  image: readonly Column[],
  values: Float64Array,
  count: number,
): number {
  let largest = 0;
  for (let k = 0; k < count; k++) {
    let square = 0;
    for (let i = 0; i < block[k].length; i++) square += (image[k][i] - values[k] * block[k][i]) ** 2;
    largest = Math.max(largest, Math.sqrt(square));
  }
  return largest;
}

function dot(x: Column, y: Column): number {
  // four sums, so that one addition need not wait for the last
  let [a, b, c, d] = [0, 0, 0, 0];
  const end = x.length & ~3;
  for (let i = 0; i < end; i += 4) {
    a += x[i] * y[i];
    b += x[i + 1] * y[i + 1];
    c += x[i + 2] * y[i + 2];
    d += x[i + 3] * y[i + 3];
  }
  for (let i = end; i < x.length; i++) a += x[i] * y[i];
  return a + b + (c + d);
}

function subtract(x: Column, factor: number, y: Column): void {
  for (let i = 0; i < x.length; i++) x[i] -= factor * y[i];
}

function scaleBy(x: Column, factor: number): void {
  for (let i = 0; i < x.length; i++) x[i] *= factor;
}
