/**
 * Subspace iteration with Rayleigh–Ritz: the leading eigenpairs of symmetric matrices A, several matrices side by side.
 *
 * For each matrix a block X of random columns is multiplied by a polynomial of A in every round, made orthonormal by the
 * eigenvectors of its Gram matrix XᵀX, and rotated to the eigenvectors of Xᵀ·A·X (Golub, Van Loan, §8.2.4). Directions
 * with nearly equal eigenvalues may stay mixed; their span is not affected.
 *
 * The caller keeps the blocks and multiplies them (`IteratedBlocks`), on an engine or in plain loops; this file holds
 * the small matrices only. bench/eigen-solvers.ts compares the method with others.
 */

import type { FloatArray, Rows } from "../rows.js";
import { symmetricEigen } from "./symmetric-eigen.js";

/** Eigenvectors as columns of unit length. */
export interface Eigenvectors<V extends FloatArray = Float64Array> extends Rows<V> {
  /** The eigenvalue of each column, largest first. */
  readonly values: Float64Array;
}

/**
 * One block X of `width` columns for each matrix A. Every method takes one square matrix of `width` rows for each block,
 * called its mix, and begins with X ← X·mix. The matrices that are taken and returned are stored row by row.
 */
export interface IteratedBlocks {
  readonly width: number;
  /**
   * Then X ← p(A)·X for a polynomial p that is largest at the largest eigenvalues; returns XᵀX. `cuts` has a number for
   * each block: eigenvalues below it may be damped. It is the smallest eigenvalue found in the block, but at least 0.
   */
  filter(mixes: readonly Float64Array[], cuts: readonly number[]): readonly ArrayLike<number>[];
  /** Returns Xᵀ·A·X. */
  project(mixes: readonly Float64Array[]): readonly ArrayLike<number>[];
  rotate(mixes: readonly Float64Array[]): void;
}

/** Products with A in all rounds, not counting those of Rayleigh–Ritz. */
export const PRODUCTS = 32;
/**
 * Products in one round. A Chebyshev polynomial of this degree that is at most 1 from −1 to 0 is 577 at 1: its square
 * is less than 1 / MIN_SQUARE.
 */
export const PRODUCTS_PER_ROUND = 4;
/** Columns beyond the wanted ones: the last columns of a block converge last. */
export const EXTRA_COLUMNS = 8;
/**
 * A direction of a block is dropped as rounding error if its squared length is less than this part of the largest
 * squared length in the block.
 */
const MIN_SQUARE = 1e-6;

/** Call `round` several times, then `finish`. */
export class SubspaceIteration {
  readonly #blocks: IteratedBlocks;
  #mixes: readonly Float64Array[];
  #values: readonly Float64Array[] = [];

  constructor(blocks: IteratedBlocks, numBlocks: number) {
    const { width } = blocks;
    const identity = Float64Array.from({ length: width * width }, (_, i) => (i % (width + 1) === 0 ? 1 : 0));
    this.#blocks = blocks;
    this.#mixes = Array.from({ length: numBlocks }, () => identity);
  }

  round(): void {
    const { width } = this.#blocks;
    const cuts = this.#mixes.map((_, m) => Math.max(0, this.#values[m]?.[width - 1] ?? 0));
    const grams = this.#blocks.filter(this.#mixes, cuts);
    const projected = this.#blocks.project(grams.map((gram) => orthonormalizer(gram, width)));
    const ritz = projected.map((image) => symmetricEigen(symmetrized(image, width), width));
    this.#values = ritz.map(({ values }) => values);
    this.#mixes = ritz.map(({ vectors }) => columnsOf(vectors, width));
  }

  /** Rotates the columns of the blocks to the approximate eigenvectors; returns the eigenvalues of each block, largest first. */
  finish(): readonly Float64Array[] {
    this.#blocks.rotate(this.#mixes);
    return this.#values;
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
