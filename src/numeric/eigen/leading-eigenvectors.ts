/**
 * Leading eigenvectors of one sparse symmetric matrix, in float64 on one thread: subspace iteration in plain loops, with a
 * Chebyshev polynomial as filter (Zhou, Saad, SIAM J. Matrix Anal. Appl. 29(3), 2007).
 */

import type { Rng } from "../../core/rng.js";
import { multiplySparse, type ScaledCsr } from "../csr.js";
import type { FloatArray } from "../rows.js";
import {
  chebyshevFilter,
  type Eigenvectors,
  EXTRA_COLUMNS,
  PRODUCTS,
  PRODUCTS_PER_ROUND,
  SubspaceIteration,
} from "./subspace-iteration.js";

/**
 * The largest eigenvalues of a symmetric matrix and their eigenvectors: `count` of them, or all if the matrix has fewer rows.
 * No eigenvalue may be below −1. The same state of `rng` gives the same bits.
 */
export function leadingEigenvectors(matrix: ScaledCsr<FloatArray>, count: number, rng: Rng): Eigenvectors {
  const blocks = new SparseBlock(matrix, blockWidth(matrix.numRows, count), rng);
  const iteration = new SubspaceIteration(blocks.width, 1);
  for (let done = 0; done < PRODUCTS; done += PRODUCTS_PER_ROUND) {
    const grams = blocks.filter(iteration.mixes, iteration.cuts);
    iteration.endRound(blocks.project(iteration.orthonormalizers(grams)));
  }
  blocks.rotate(iteration.mixes);
  const [values] = iteration.values;
  const width = Math.min(blocks.width, count);
  const data = new Float64Array(matrix.numRows * width);
  for (let i = 0; i < matrix.numRows; i++) {
    for (let k = 0; k < width; k++) data[i * width + k] = blocks.data[i * blocks.width + k];
  }
  return { data, width, values: values.slice(0, width) };
}

/** Number of columns that are iterated: `count` wanted ones and up to EXTRA_COLUMNS more, but at most twice `count`. */
function blockWidth(size: number, count: number): number {
  return Math.min(size, count + Math.min(count, EXTRA_COLUMNS));
}

/** Number of multiply-adds of `leadingEigenvectors` for a matrix of `size` rows and `entries` entries. */
export function eigenvectorsWork(size: number, entries: number, count: number): number {
  const width = blockWidth(size, count);
  const rounds = PRODUCTS / PRODUCTS_PER_ROUND;
  return (PRODUCTS + rounds) * width * (entries + 2 * size) + rounds * 4 * size * width ** 2;
}

/** The block X; every method begins with X ← X·mix. */
class SparseBlock {
  readonly width: number;
  /** numRows × width. */
  data: Float64Array;
  readonly #matrix: ScaledCsr<FloatArray>;
  #product: Float64Array;
  #previous: Float64Array;

  constructor(matrix: ScaledCsr<FloatArray>, width: number, rng: Rng) {
    this.width = width;
    this.#matrix = matrix;
    this.data = Float64Array.from({ length: matrix.numRows * width }, () => rng.normal());
    this.#product = new Float64Array(this.data.length);
    this.#previous = new Float64Array(this.data.length);
  }

  /** X ← T(A)·X with the filter of this cut; returns XᵀX. */
  filter(mixes: readonly Float64Array[], [cut]: readonly number[]): readonly Float64Array[] {
    this.rotate(mixes);
    const { first, next } = chebyshevFilter(cut);
    const product = this.#product;
    let [previous, current] = [this.data, this.#previous];
    multiplySparse(this.#matrix, previous, this.width, product);
    for (let at = 0; at < product.length; at++) current[at] = first[0] * product[at] + first[1] * previous[at];
    for (let degree = 2; degree <= PRODUCTS_PER_ROUND; degree++) {
      multiplySparse(this.#matrix, current, this.width, product);
      for (let at = 0; at < product.length; at++) {
        previous[at] = next[0] * product[at] + next[1] * current[at] + next[2] * previous[at];
      }
      [previous, current] = [current, previous];
    }
    [this.data, this.#previous] = [current, previous];
    return [columnProducts(this.data, this.data, this.width)];
  }

  /** Returns Xᵀ·A·X. */
  project(mixes: readonly Float64Array[]): readonly Float64Array[] {
    this.rotate(mixes);
    multiplySparse(this.#matrix, this.data, this.width, this.#product);
    return [columnProducts(this.data, this.#product, this.width)];
  }

  rotate([mix]: readonly Float64Array[]): void {
    multiplyRows(this.data, mix, this.width, this.#product);
    [this.data, this.#product] = [this.#product, this.data];
  }
}

/** y ← x·m for a square m. Takes four rows of m at a time, so that y is read and written a quarter as often. */
function multiplyRows(x: Float64Array, m: Float64Array, width: number, y: Float64Array): void {
  const unrolled = width & ~3; // the largest multiple of four
  y.fill(0);
  for (let row = 0; row < x.length; row += width) {
    for (let a = 0; a < unrolled; a += 4) {
      const [x0, x1, x2, x3] = [x[row + a], x[row + a + 1], x[row + a + 2], x[row + a + 3]];
      for (let c = 0, at = a * width; c < width; c++, at++) {
        y[row + c] += x0 * m[at] + x1 * m[at + width] + (x2 * m[at + 2 * width] + x3 * m[at + 3 * width]);
      }
    }
    for (let a = unrolled; a < width; a++) {
      for (let c = 0; c < width; c++) y[row + c] += x[row + a] * m[a * width + c];
    }
  }
}

/** xᵀ·y [width, width]; takes four rows at a time. */
function columnProducts(x: Float64Array, y: Float64Array, width: number): Float64Array {
  const products = new Float64Array(width * width);
  const unrolled = x.length - (x.length % (4 * width));
  for (let row = 0; row < unrolled; row += 4 * width) {
    for (let a = 0; a < width; a++) {
      const at = row + a;
      const [x0, x1, x2, x3] = [x[at], x[at + width], x[at + 2 * width], x[at + 3 * width]];
      for (let b = 0; b < width; b++) {
        const from = row + b;
        products[a * width + b] +=
          x0 * y[from] + x1 * y[from + width] + (x2 * y[from + 2 * width] + x3 * y[from + 3 * width]);
      }
    }
  }
  for (let row = unrolled; row < x.length; row += width) {
    for (let a = 0; a < width; a++) {
      for (let b = 0; b < width; b++) products[a * width + b] += x[row + a] * y[row + b];
    }
  }
  return products;
}
