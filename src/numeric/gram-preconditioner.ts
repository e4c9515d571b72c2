/**
 * Preconditioner for L-BFGS on a penalised loss of linear scores: the inverse of its curvature M = Σ_i c_i·x_i·x_iᵀ + I,
 * where each x_i has an additional 1 for the intercept. With it L-BFGS needs few steps even if columns are nearly
 * dependent, as the columns of embeddings are. If there are many more columns than rows,
 * M⁻¹ = I − Bᵀ·(I + B·Bᵀ)⁻¹·B is used, where the rows of B are √c_i·x_i: its time grows with the cube of the number of rows.
 */

import { gramOfRows, type Rows, sumOfRows } from "./rows.js";

/** Up to this many columns M itself is factorised, which takes milliseconds. */
const MANY_COLUMNS = 512;

/** Multiplies each of the blocks of `vector`, of `width + 1` numbers, by M⁻¹ in place; `curvatures` are the c_i. */
export function gramPreconditioner({ data, width }: Rows, curvatures: Float64Array): (vector: Float64Array) => void {
  const size = width + 1;
  if (size > MANY_COLUMNS && 2 * curvatures.length < size) return fromRows({ data, width }, curvatures);
  const factor = cholesky(gram(data, width, curvatures), size);
  return (vector) => {
    for (let at = 0; at < vector.length; at += size) solve(factor, size, vector, at);
  };
}

/** The same for fewer rows than columns. */
function fromRows({ data, width }: Rows, curvatures: Float64Array): (vector: Float64Array) => void {
  const size = width + 1;
  const n = curvatures.length;
  const rows = new Float64Array(n * size);
  curvatures.forEach((curvature, i) => {
    const root = Math.sqrt(curvature);
    for (let k = 0; k < width; k++) rows[i * size + k] = root * data[i * width + k];
    rows[i * size + width] = root;
  });
  const inner = gramOfRows(rows, n, size);
  for (let i = 0; i < n; i++) inner[i * n + i] += 1;
  const factor = cholesky(inner, n);
  return (vector) => {
    for (let at = 0; at < vector.length; at += size) {
      const block = vector.subarray(at, at + size);
      const along = Float64Array.from({ length: n }, (_, i) => {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += rows[i * size + k] * block[k];
        return sum;
      });
      solve(factor, n, along, 0);
      const taken = sumOfRows(rows, along, size);
      for (let k = 0; k < size; k++) block[k] -= taken[k];
    }
  };
}

/** The lower triangle of M, computed from four rows at a time. */
function gram(data: Float64Array, width: number, curvatures: Float64Array): Float64Array {
  const size = width + 1;
  const n = data.length / width;
  const out = new Float64Array(size * size);
  const block = new Float64Array(4 * size);
  for (let i = 0; i < n; i += 4) {
    block.fill(0);
    for (let r = 0; r < Math.min(4, n - i); r++) {
      const root = Math.sqrt(curvatures[i + r]);
      for (let k = 0; k < width; k++) block[r * size + k] = root * data[(i + r) * width + k];
      block[r * size + width] = root;
    }
    for (let a = 0; a < size; a++) {
      const b0 = block[a];
      const b1 = block[size + a];
      const b2 = block[2 * size + a];
      const b3 = block[3 * size + a];
      const row = a * size;
      for (let b = 0; b <= a; b++) {
        out[row + b] += b0 * block[b] + b1 * block[size + b] + (b2 * block[2 * size + b] + b3 * block[3 * size + b]);
      }
    }
  }
  for (let a = 0; a < size; a++) out[a * size + a] += 1;
  return out;
}

/** Replaces the lower triangle of a matrix by L with L·Lᵀ = the matrix. The matrix has no eigenvalue below 1. */
export function cholesky(matrix: Float64Array, size: number): Float64Array {
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = matrix[a * size + b];
      for (let k = 0; k < b; k++) sum -= matrix[a * size + k] * matrix[b * size + k];
      // with very large entries rounding may make a pivot smaller than 1
      matrix[a * size + b] = a === b ? Math.sqrt(Math.max(sum, 1)) : sum / matrix[b * size + b];
    }
  }
  return matrix;
}

/** Solves L·Lᵀ·x = b in place, where b are the `size` numbers of `vector` from `at` on. */
export function solve(factor: Float64Array, size: number, vector: Float64Array, at: number): void {
  for (let a = 0; a < size; a++) {
    let sum = vector[at + a];
    for (let k = 0; k < a; k++) sum -= factor[a * size + k] * vector[at + k];
    vector[at + a] = sum / factor[a * size + a];
  }
  for (let a = size - 1; a >= 0; a--) {
    const value = (vector[at + a] /= factor[a * size + a]);
    for (let k = 0; k < a; k++) vector[at + k] -= factor[a * size + k] * value;
  }
}
