/**
 * Subspace iteration with Rayleigh–Ritz: the leading eigenpairs of symmetric matrices A, several matrices side by side.
 *
 * For each matrix a block X of random columns is multiplied by a polynomial of A in every round, made orthonormal by the
 * eigenvectors of its Gram matrix XᵀX, and rotated to the eigenvectors of Xᵀ·A·X (Golub, Van Loan, §8.2.4). Directions
 * with nearly equal eigenvalues may stay mixed; their span is not affected.
 *
 * The caller keeps the blocks and multiplies them, on an engine or in plain loops; this file holds the small matrices only. bench/eigen-solvers.ts compares the method with others.
 */

import type { FloatArray, Rows } from "../rows.js";
import { symmetricEigen } from "./symmetric-eigen.js";

/** Eigenvectors as columns of unit length. */
export interface Eigenvectors<V extends FloatArray = Float64Array> extends Rows<V> {
  /** The eigenvalue of each column, largest first. */
  readonly values: Float64Array;
}

/** Products with A in all rounds, not counting those of Rayleigh–Ritz. */
export const PRODUCTS = 32;
/**
 * Products in one round. A Chebyshev polynomial of this degree that is at most 1 from −1 to 0 is 577 at 1: its square
 * is less than 1 / MIN_SQUARE.
 */
export const PRODUCTS_PER_ROUND = 4;
/** The filter of a round: the Chebyshev polynomial T of degree `PRODUCTS_PER_ROUND`, shifted so that it is within ±1 for eigenvalues in [−1, cut]. */
export interface ChebyshevFilter {
  /** T_1 = Σ_k first_k·X_k of A·X and X. */
  readonly first: readonly [number, number];
  /** T_{j+1} = Σ_k next_k·X_k of A·T_j, T_j and T_{j−1}. */
  readonly next: readonly [number, number, number];
}

/** The filter that damps eigenvalues from −1 to `cut`. */
export function chebyshevFilter(cut: number): ChebyshevFilter {
  const [centre, half] = [(cut - 1) / 2, (cut + 1) / 2];
  return { first: [1 / half, -centre / half], next: [2 / half, (-2 * centre) / half, -1] };
}

/** A filter multiplies the largest eigenvalue by at least this, the eigenvalues that it damps by at most 1. Not tuned. */
const MIN_GAIN = 4;
/** Where, beyond the damped eigenvalues mapped to [−1, 1], the Chebyshev polynomial has the value MIN_GAIN. */
const GAIN_POINT = Math.cosh(Math.acosh(MIN_GAIN) / PRODUCTS_PER_ROUND);

/** The largest cut with which the filter multiplies this eigenvalue by at least MIN_GAIN. */
function maxCut(largest: number): number {
  return (2 * largest + 1 - GAIN_POINT) / (1 + GAIN_POINT);
}

/** Columns beyond the wanted ones: the last columns of a block converge last. */
export const EXTRA_COLUMNS = 8;
/**
 * A direction of a block is dropped as rounding error if its squared length is less than this part of the largest
 * squared length in the block.
 */
const MIN_SQUARE = 1e-6;

/**
 * The small matrices of an iteration: one square matrix of `width` rows for each block X, called its mix, stored row by row. The
 * caller keeps the blocks. In a round it
 *
 * 1. replaces X by p(A)·X·mix for the mixes of `mixes` and a polynomial p that is largest at the largest eigenvalues; those below
 *    the block's number in `cuts` may be damped;
 * 2. replaces X by X·mix for the mixes that `orthonormalizers` makes from the matrices XᵀX;
 * 3. passes the matrices Xᵀ·A·X to `endRound`.
 *
 * After the last round it replaces X by X·mix for the mixes of `mixes`; the columns are the approximate eigenvectors then, and
 * `values` has their eigenvalues, largest first.
 */
export class SubspaceIteration {
  readonly #width: number;
  #mixes: readonly Float64Array[];
  #values: readonly Float64Array[] = [];

  constructor(width: number, numBlocks: number) {
    const identity = Float64Array.from({ length: width * width }, (_, i) => (i % (width + 1) === 0 ? 1 : 0));
    this.#width = width;
    this.#mixes = Array.from({ length: numBlocks }, () => identity);
  }

  get mixes(): readonly Float64Array[] {
    return this.#mixes;
  }

  /**
   * The smallest eigenvalue found in each block, but at least 0. It is lower if the largest one is close to it, as when more eigenvalues
   * are equal than the block has columns: a filter with a cut that close would damp nothing.
   */
  get cuts(): readonly number[] {
    return this.#mixes.map((_, m) => {
      const values = this.#values[m];
      return values === undefined ? 0 : Math.max(0, Math.min(values[this.#width - 1], maxCut(values[0])));
    });
  }

  get values(): readonly Float64Array[] {
    return this.#values;
  }

  orthonormalizers(grams: readonly ArrayLike<number>[]): readonly Float64Array[] {
    return grams.map((gram) => orthonormalizer(gram, this.#width));
  }

  endRound(projected: readonly ArrayLike<number>[]): void {
    const width = this.#width;
    const ritz = projected.map((image) => symmetricEigen(symmetrized(image, width), width));
    this.#values = ritz.map(({ values }) => values);
    this.#mixes = ritz.map(({ vectors }) => columnsOf(vectors, width));
  }
}

/** Q·Λ^(-1/2) for a Gram matrix Q·Λ·Qᵀ: the block times it has orthonormal columns, or zeros for dropped directions. */
function orthonormalizer(gram: ArrayLike<number>, size: number): Float64Array {
  const { values, vectors } = symmetricEigen(symmetrized(gram, size), size);
  const factors = values.map((value) => (value > MIN_SQUARE * values[0] ? 1 / Math.sqrt(value) : 0));
  const matrix = columnsOf(vectors, size);
  for (let i = 0; i < size; i++) for (let k = 0; k < size; k++) matrix[i * size + k] *= factors[k];
  return matrix;
}

/** (M + Mᵀ)/2: products of blocks are symmetric up to rounding only. */
function symmetrized(matrix: ArrayLike<number>, size: number): Float64Array {
  const out = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) out[i * size + j] = (matrix[i * size + j] + matrix[j * size + i]) / 2;
  }
  return out;
}

/** The square matrix with the vectors as columns, stored row by row. */
function columnsOf(vectors: readonly Float64Array[], size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let k = 0; k < size; k++) {
    const vector = vectors[k];
    for (let i = 0; i < size; i++) matrix[i * size + k] = vector[i];
  }
  return matrix;
}
