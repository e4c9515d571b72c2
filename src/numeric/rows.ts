/** Dense matrices stored row by row: the type that every folder uses, and operations on it. */

import { type VectorRows, vectorSlices } from "../core/embedding.js";

export type FloatArray = Float32Array | Float64Array;

/** A dense matrix stored row by row: the entry in row i and column k is `data[i * width + k]`. */
export interface Rows<V extends FloatArray = Float64Array> {
  readonly data: V;
  /** Number of columns; the number of rows is `data.length / width`. */
  readonly width: number;
}

export function mean(values: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** A copy of the rows, each scaled to length 1; a row of zeros stays. */
export function unitRows(data: Float32Array, width: number): Float32Array;
export function unitRows(data: Float64Array, width: number): Float64Array;
export function unitRows(data: Float32Array | Float64Array, width: number): Float32Array | Float64Array {
  const unit = data.slice();
  for (let at = 0; at < unit.length; at += width) {
    let square = 0;
    for (let k = at; k < at + width; k++) square += unit[k] * unit[k];
    if (!(square > 0)) continue;
    const length = Math.sqrt(square);
    for (let k = at; k < at + width; k++) unit[k] /= length;
  }
  return unit;
}

/** Mean of each column. */
export function columnMeans(data: Float32Array | Float64Array, width: number): Float64Array {
  const means = new Float64Array(width);
  addRows(means, data);
  for (let k = 0; k < width; k++) means[k] /= data.length / width;
  return means;
}

/** The mean of vectors that are read in slices; the same bits as `columnMeans` of all of them. */
export function meanVector(rows: VectorRows): Float64Array {
  const sums = new Float64Array(rows.dim);
  for (const { vectors } of vectorSlices(rows)) addRows(sums, vectors);
  return sums.map((sum) => sum / rows.ids.length);
}

/** Adds all rows of `data` to `sums`, one after another. */
function addRows(sums: Float64Array, data: Float32Array | Float64Array): void {
  const width = sums.length;
  for (let at = 0; at < data.length; at += width) for (let k = 0; k < width; k++) sums[k] += data[at + k];
}

/**
 * X·Xᵀ, n × n, of a matrix X with n rows and `dim` columns. If n < dim, it has the same non-zero eigenvalues as the
 * dim × dim matrix Xᵀ·X and takes n²·dim multiply-adds instead of dim²·n.
 */
export function gramOfRows(rows: ArrayLike<number>, n: number, dim: number): Float64Array {
  const gram = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let a = i * dim, b = j * dim, end = a + dim; a < end; a++, b++) sum += rows[a] * rows[b];
      gram[i * n + j] = gram[j * n + i] = sum;
    }
  }
  return gram;
}

/**
 * sums ← sums + Xᵀ·Y for X and Y with four rows, added one after the other; `width` is the number of columns of Y. Takes two columns
 * of X at a time, so that Y is read half as often. If X is Y, only the lower triangle of the sums is computed, and some of the rest.
 */
export function addProducts(sums: Float64Array, x: Float64Array, y: Float64Array, width: number): void {
  const size = x.length / 4;
  for (let a = 0; a < size; a += 2) {
    const other = Math.min(a + 1, size - 1); // the last of an odd number of columns is taken alone
    const [p, q, r, s] = [x[a], x[size + a], x[2 * size + a], x[3 * size + a]];
    const [t, u, v, w] = [x[other], x[size + other], x[2 * size + other], x[3 * size + other]];
    const end = x === y ? other + 1 : width;
    for (let k = 0, at = a * width, below = other * width; k < end; k++, at++, below++) {
      const [y0, y1, y2, y3] = [y[k], y[width + k], y[2 * width + k], y[3 * width + k]];
      const sum = sums[below] + t * y0 + u * y1 + v * y2 + w * y3;
      sums[at] = sums[at] + p * y0 + q * y1 + r * y2 + s * y3;
      sums[below] = sum;
    }
  }
}

/** Xᵀ·u: the sum of the rows, row i times u[i]. */
export function sumOfRows(rows: ArrayLike<number>, u: ArrayLike<number>, dim: number): Float64Array {
  const sum = new Float64Array(dim);
  for (let i = 0, at = 0; i < u.length; i++) for (let k = 0; k < dim; k++, at++) sum[k] += u[i] * rows[at];
  return sum;
}

/**
 * If there are more columns than rows: n × n rows with the same inner products, the Cholesky factor of the Gram matrix. A
 * probe with an L2 penalty makes the same predictions from them.
 */
export function narrowRows({ data, width }: Rows): Rows {
  const n = data.length / width;
  if (n >= width) return { data, width };
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0, a = i * width, b = j * width; k < width; k++) sum += data[a++] * data[b++];
      const product = sum;
      for (let k = 0, a = i * n, b = j * n; k < j; k++) sum -= factor[a++] * factor[b++];
      const pivot = factor[j * n + j];
      // the column of a row that is a linear combination of earlier rows is zero
      if (i === j) factor[i * n + i] = sum > 1e-10 * product ? Math.sqrt(sum) : 0;
      else factor[i * n + j] = pivot > 0 ? sum / pivot : 0;
    }
  }
  return { data: factor, width: n };
}
