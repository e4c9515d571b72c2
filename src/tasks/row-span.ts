/**
 * Rows in coordinates of the space that they span. A linear probe with an L2 penalty has its weights there, so that few
 * rows of many columns are fitted as well, and much sooner, with as many columns as there are rows.
 */

import type { Rows } from "../core/rows.js";

export interface RowSpan {
  /** As many columns as rows; inner products are those of the rows given. */
  readonly rows: Rows;
  /** Weights for the columns given, of weights for the columns of `rows`. */
  readonly widen: (weights: Float64Array) => Float64Array;
}

/** A row of which less than this share, squared, is not in the rows before it counts as their sum. */
const DEPENDENT = 1e-10;

/** X = T·Q with T lower triangular and Q of orthonormal rows, by T·Tᵀ = X·Xᵀ. */
export function rowSpan({ data, width }: Rows): RowSpan {
  const n = data.length / width;
  const factor = new Float64Array(n * n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) factor[a * n + b] = rowProduct(data, width, a, b);
  }
  factorize(factor, n);
  return {
    rows: { data: factor, width: n },
    widen(weights) {
      // Qᵀ·v = Xᵀ·u with Tᵀ·u = v
      const u = weights.slice();
      const out = new Float64Array(width);
      for (let a = n - 1; a >= 0; a--) {
        const pivot = factor[a * n + a];
        if (pivot === 0) continue;
        u[a] /= pivot;
        for (let b = 0; b < a; b++) u[b] -= factor[a * n + b] * u[a];
        for (let k = 0; k < width; k++) out[k] += u[a] * data[a * width + k];
      }
      return out;
    },
  };
}

/** Four sums, which a processor adds up side by side. */
function rowProduct(data: Float64Array, width: number, a: number, b: number): number {
  const [x, y] = [a * width, b * width];
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let k = 0;
  for (; k + 3 < width; k += 4) {
    s0 += data[x + k] * data[y + k];
    s1 += data[x + k + 1] * data[y + k + 1];
    s2 += data[x + k + 2] * data[y + k + 2];
    s3 += data[x + k + 3] * data[y + k + 3];
  }
  for (; k < width; k++) s0 += data[x + k] * data[y + k];
  return s0 + s1 + (s2 + s3);
}

/** Cholesky's factor of the lower triangle, in place; columns of dependent rows are 0. */
function factorize(matrix: Float64Array, n: number): void {
  for (let a = 0; a < n; a++) {
    const smallest = DEPENDENT * matrix[a * n + a];
    for (let b = 0; b <= a; b++) {
      let sum = matrix[a * n + b];
      for (let k = 0; k < b; k++) sum -= matrix[a * n + k] * matrix[b * n + k];
      const pivot = matrix[b * n + b];
      if (a === b) matrix[a * n + a] = sum > smallest ? Math.sqrt(sum) : 0;
      else matrix[a * n + b] = pivot === 0 ? 0 : sum / pivot;
    }
  }
}
