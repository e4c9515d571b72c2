/**
 * Leading eigenvectors of one sparse symmetric matrix, in float64 on one thread: subspace iteration in plain loops, with a
 * Chebyshev polynomial as filter (Zhou, Saad, SIAM J. Matrix Anal. Appl. 29(3), 2007).
 */

import type { Rng } from "../core/rng.js";
import { multiplySparse, type ScaledCsr } from "./csr.js";
import type { FloatArray } from "./rows.js";
import {
  type Eigenvectors,
  EXTRA_COLUMNS,
  type IteratedBlocks,
  PRODUCTS,
  PRODUCTS_PER_ROUND,
  SubspaceIteration,
} from "./subspace-iteration.js";

/**
 * The largest eigenvalues of a symmetric matrix and their eigenvectors: `count` of them, or as many as the matrix has rows.
 * No eigenvalue may be below −1. The same random numbers give the same bits.
 */
export function leadingEigenvectors(matrix: ScaledCsr<FloatArray>, count: number, rng: Rng): Eigenvectors {
  const blocks = new SparseBlock(matrix, blockWidth(matrix.numRows, count), rng);
  const iteration = new SubspaceIteration(blocks, 1);
  for (let done = 0; done < PRODUCTS; done += PRODUCTS_PER_ROUND) iteration.round();
  const [values] = iteration.finish();
  const width = Math.min(blocks.width, count);
  const data = new Float64Array(matrix.numRows * width);
  for (let i = 0; i < matrix.numRows; i++) {
    for (let k = 0; k < width; k++) data[i * width + k] = blocks.data[i * blocks.width + k];
  }
  return { data, width, values: values.slice(0, width) };
}

/** Few eigenvectors need few extra columns. */
function blockWidth(size: number, count: number): number {
  return Math.min(size, count + Math.min(count, EXTRA_COLUMNS));
}

/** Multiply-adds of `leadingEigenvectors` for a matrix of `size` rows. */
export function eigenvectorsWork(size: number, entries: number, count: number): number {
  const width = blockWidth(size, count);
  const rounds = PRODUCTS / PRODUCTS_PER_ROUND;
  return (PRODUCTS + rounds) * width * (entries + 2 * size) + rounds * 4 * size * width ** 2;
}

class SparseBlock implements IteratedBlocks {
  readonly width: number;
  /** numRows × width. */
  data: Float64Array;
  readonly #matrix: ScaledCsr<FloatArray>;
  #image: Float64Array;
  #previous: Float64Array;

  constructor(matrix: ScaledCsr<FloatArray>, width: number, rng: Rng) {
    this.width = width;
    this.#matrix = matrix;
    this.data = Float64Array.from({ length: matrix.numRows * width }, () => rng.normal());
    this.#image = new Float64Array(this.data.length);
    this.#previous = new Float64Array(this.data.length);
  }

  /** X ← T((A − centre)/half)·X; the Chebyshev polynomial T stays within ±1 for eigenvalues from −1 to the cut. */
  filter(mixes: readonly Float64Array[], [cut]: readonly number[]): readonly Float64Array[] {
    this.turn(mixes);
    const [centre, half] = [(cut - 1) / 2, (cut + 1) / 2];
    let [previous, current] = [this.data, this.#previous];
    multiplySparse(this.#matrix, previous, this.width, this.#image);
    for (let at = 0; at < current.length; at++) current[at] = (this.#image[at] - centre * previous[at]) / half;
    for (let degree = 2; degree <= PRODUCTS_PER_ROUND; degree++) {
      multiplySparse(this.#matrix, current, this.width, this.#image);
      for (let at = 0; at < current.length; at++) {
        previous[at] = (2 * (this.#image[at] - centre * current[at])) / half - previous[at];
      }
      [previous, current] = [current, previous];
    }
    [this.data, this.#previous] = [current, previous];
    return [columnProducts(this.data, this.data, this.width)];
  }

  project(mixes: readonly Float64Array[]): readonly Float64Array[] {
    this.turn(mixes);
    multiplySparse(this.#matrix, this.data, this.width, this.#image);
    return [columnProducts(this.data, this.#image, this.width)];
  }

  turn([mix]: readonly Float64Array[]): void {
    multiplyRows(this.data, mix, this.width, this.#image);
    [this.data, this.#image] = [this.#image, this.data];
  }
}

/** y ← x·m for a square m; four rows of m at a time, so that y is read and written a quarter as often. */
function multiplyRows(x: Float64Array, m: Float64Array, width: number, y: Float64Array): void {
  const whole = width & ~3;
  y.fill(0);
  for (let row = 0; row < x.length; row += width) {
    for (let a = 0; a < whole; a += 4) {
      const [x0, x1, x2, x3] = [x[row + a], x[row + a + 1], x[row + a + 2], x[row + a + 3]];
      for (let c = 0, at = a * width; c < width; c++, at++) {
        y[row + c] += x0 * m[at] + x1 * m[at + width] + (x2 * m[at + 2 * width] + x3 * m[at + 3 * width]);
      }
    }
    for (let a = whole; a < width; a++) {
      for (let c = 0; c < width; c++) y[row + c] += x[row + a] * m[a * width + c];
    }
  }
}

/** xᵀ·y, width × width; four rows at a time. */
function columnProducts(x: Float64Array, y: Float64Array, width: number): Float64Array {
  const products = new Float64Array(width * width);
  const whole = x.length - (x.length % (4 * width));
  for (let row = 0; row < whole; row += 4 * width) {
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
  for (let row = whole; row < x.length; row += width) {
    for (let a = 0; a < width; a++) {
      for (let b = 0; b < width; b++) products[a * width + b] += x[row + a] * y[row + b];
    }
  }
  return products;
}
