/**
 * All eigenvalues and eigenvectors of a dense symmetric matrix: small matrices by cyclic Jacobi rotations (Golub, Van Loan,
 * §8.5), larger ones through a tridiagonal matrix (tridiagonal-eigen.ts).
 */

import { type Eigenpairs, tridiagonalEigen, tridiagonalEigenvalues } from "./tridiagonal-eigen.js";

/**
 * Largest number of rows for Jacobi rotations. Milliseconds for 16, 24, 40, 64 and 128 rows: 0.3, 0.9, 4.0, 15 and 136, and through a
 * tridiagonal matrix 0.3, 0.6, 1.2, 3.9 and 26 (2 × Neoverse-N1, 2026-11-18).
 */
const MAX_JACOBI_ROWS = 16;

/** Limit of sweeps; convergence is quadratic, and fewer than ten are usual. */
const MAX_SWEEPS = 60;
/** Norm of the off-diagonal entries divided by the norm of the matrix at which double precision is exhausted. */
const CONVERGED = 1e-15;

export interface SymmetricEigen {
  /** Largest first. */
  readonly values: Float64Array;
  /** The eigenvector of each value. */
  readonly vectors: readonly Float64Array[];
}

/** All eigenpairs of a symmetric matrix stored row by row; the time grows with the cube of its size. */
export function symmetricEigen(matrix: Float64Array, size: number): SymmetricEigen {
  const { scaled, unit } = scaledCopy(matrix);
  const { values, vectors } = size > MAX_JACOBI_ROWS ? tridiagonalEigen(scaled, size) : jacobiEigen(scaled, size);
  const order = Array.from({ length: size }, (_, k) => k).sort((i, j) => values[j] - values[i] || i - j);
  return {
    values: Float64Array.from(order, (k) => values[k] * unit),
    vectors: order.map((k) => vectors.slice(k * size, (k + 1) * size)),
  };
}

/** The eigenvalues only, largest first, with the same bits; takes a quarter of the time for large matrices. */
export function symmetricEigenvalues(matrix: Float64Array, size: number): Float64Array {
  if (size <= MAX_JACOBI_ROWS) return symmetricEigen(matrix, size).values;
  const { scaled, unit } = scaledCopy(matrix);
  return tridiagonalEigenvalues(scaled, size)
    .sort()
    .reverse()
    .map((value) => value * unit);
}

/** A copy with entries of order 1, so that squares neither underflow nor overflow; dividing by a power of 2 is exact. */
function scaledCopy(matrix: Float64Array): { readonly scaled: Float64Array; readonly unit: number } {
  let largest = 0;
  for (let at = 0; at < matrix.length; at++) largest = Math.max(largest, Math.abs(matrix[at]));
  const unit = largest > 0 && largest < Infinity ? 2 ** Math.floor(Math.log2(largest)) : 1;
  const scaled = new Float64Array(matrix.length);
  for (let at = 0; at < matrix.length; at++) scaled[at] = matrix[at] / unit;
  return { scaled, unit };
}

/** The eigenpairs in no particular order. Overwrites the matrix. */
function jacobiEigen(a: Float64Array, size: number): Eigenpairs {
  // row k of `v` is the eigenvector of a[k][k]
  const v = new Float64Array(size * size);
  for (let k = 0; k < size; k++) v[k * size + k] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let off = 0;
    let all = 0;
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        const square = a[i * size + j] ** 2;
        all += square;
        if (i !== j) off += square;
      }
    }
    if (off <= CONVERGED ** 2 * all) break;
    for (let p = 0; p < size - 1; p++) {
      for (let q = p + 1; q < size; q++) {
        const apq = a[p * size + q];
        if (apq === 0) continue;
        const theta = (a[q * size + q] - a[p * size + p]) / (2 * apq);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < size; k++) {
          const x = a[k * size + p];
          const y = a[k * size + q];
          a[k * size + p] = c * x - s * y;
          a[k * size + q] = s * x + c * y;
        }
        rotateRows(a, p * size, q * size, size, c, s);
        rotateRows(v, p * size, q * size, size, c, s);
      }
    }
  }
  return { values: Float64Array.from({ length: size }, (_, k) => a[k * size + k]), vectors: v };
}

function rotateRows(m: Float64Array, p: number, q: number, size: number, c: number, s: number): void {
  for (let k = 0; k < size; k++) {
    const x = m[p + k];
    const y = m[q + k];
    m[p + k] = c * x - s * y;
    m[q + k] = s * x + c * y;
  }
}
