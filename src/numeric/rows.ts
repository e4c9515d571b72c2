/** Dense matrices stored row by row: the type that every folder uses, and operations on it. */

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
  for (let at = 0; at < data.length; at += width) for (let k = 0; k < width; k++) means[k] += data[at + k];
  for (let k = 0; k < width; k++) means[k] /= data.length / width;
  return means;
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
