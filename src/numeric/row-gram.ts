/**
 * Inner products of the rows of a matrix X with n rows and `dim` columns. If n < dim, the n × n matrix X·Xᵀ has the same
 * non-zero eigenvalues as the dim × dim matrix Xᵀ·X and takes n²·dim multiply-adds instead of dim²·n.
 */

/** X·Xᵀ, n × n. */
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
