/**
 * Principal components: the directions of largest variance, which are the eigenvectors of the covariance matrix, in float64.
 * With fewer vectors than columns they are computed from the Gram matrix of the vectors.
 *
 * The sign of a direction is arbitrary. Here the entry of largest magnitude is positive (the first such entry, if several are equal),
 * so that the same vectors always give the same picture.
 */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { requireCount } from "../../core/validation.js";
import { symmetricEigen } from "../../numeric/eigen/symmetric-eigen.js";
import { gramOfRows, sumOfRows } from "../../numeric/rows.js";

/** Variances below this share of the largest variance are rounding errors; the coordinates of such a component are set to zero. */
const MIN_VARIANCE_SHARE = 1e-13;

/** Coordinates of vectors along their principal components. */
export interface PrincipalComponents extends Embedding {
  /** Variance along each component, largest first (divided by the number of nodes). */
  readonly variances: readonly number[];
  /** Each variance divided by the total variance; zeros if all vectors are equal. */
  readonly shares: readonly number[];
}

/** Coordinates of the vectors along their first `count` principal components (default 2), with mean zero. */
export function pca(embedding: Embedding, count = 2): PrincipalComponents {
  requireCount(count, "pca: count");
  requireVectors(embedding, "pca");
  const { ids, dim } = embedding;
  // a map needs two coordinates; for vectors of one column the second coordinate is zero
  if (count > Math.max(2, dim)) {
    throw new InputError(`pca: count is ${count}; expected at most ${Math.max(2, dim)} for vectors of ${dim} columns.`);
  }
  const n = ids.length;
  const { data, scale } = centerAndScale(embedding);
  const { variances, directionOf, total } = (n < dim ? axesByGram : axesByCovariance)(data, n, dim);
  const components = Array.from({ length: count }, (_, c) => {
    const variance = c < variances.length && variances[c] > MIN_VARIANCE_SHARE * variances[0] ? variances[c] : 0;
    return { variance, direction: variance > 0 ? orient(directionOf(c)) : undefined };
  });
  const projected = new Float32Array(n * count);
  components.forEach(({ direction }, c) => {
    if (direction === undefined) return;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < dim; k++) sum += direction[k] * data[i * dim + k];
      projected[i * count + c] = sum * scale;
    }
  });
  return {
    ids,
    dim: count,
    vectors: projected,
    variances: components.map(({ variance }) => variance * scale * scale),
    shares: components.map(({ variance }) => (total > 0 ? variance / total : 0)),
  };
}

/** Variances along the principal components (largest first), the unit vector of each component, and the total variance. */
interface Axes {
  readonly variances: Float64Array;
  readonly directionOf: (c: number) => Float64Array;
  readonly total: number;
}

function axesByCovariance(data: Float64Array, n: number, dim: number): Axes {
  const covariance = new Float64Array(dim * dim);
  for (let i = 0; i < n; i++) {
    const row = data.subarray(i * dim, (i + 1) * dim);
    for (let k = 0; k < dim; k++) {
      const value = row[k];
      if (value === 0) continue;
      for (let l = 0, at = k * dim; l <= k; l++) covariance[at + l] += value * row[l];
    }
  }
  let total = 0;
  for (let k = 0; k < dim; k++) {
    for (let l = 0; l <= k; l++) covariance[l * dim + k] = covariance[k * dim + l] /= n;
    total += covariance[k * dim + k];
  }
  const { values, vectors } = symmetricEigen(covariance, dim);
  return { variances: values, directionOf: (c) => vectors[c], total };
}

/** For fewer rows than columns: if X·Xᵀ·u = λ·u, then Xᵀ·u/√λ is a unit eigenvector of Xᵀ·X. */
function axesByGram(data: Float64Array, n: number, dim: number): Axes {
  const { values, vectors } = symmetricEigen(gramOfRows(data, n, dim), n);
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0) / n;
  return {
    variances: values.map((value) => value / n),
    directionOf: (c) => sumOfRows(data, vectors[c], dim).map((x) => x / Math.sqrt(values[c])),
    total,
  };
}

/** The direction with the sign that makes its entry of largest magnitude positive. */
function orient(direction: Float64Array): Float64Array {
  let largest = 0;
  for (const value of direction) if (Math.abs(value) > Math.abs(largest)) largest = value;
  return largest < 0 ? direction.map((value) => -value) : direction;
}

/**
 * The vectors minus their mean, divided by the largest magnitude (`scale`) so that no square overflows or underflows. Throws
 * if a number is not finite.
 */
export function centerAndScale(embedding: Embedding): { data: Float64Array; scale: number } {
  requireVectors(embedding, "embedding");
  const { ids, dim, vectors } = embedding;
  const n = ids.length;
  const mean = new Float64Array(dim);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < dim; k++) mean[k] += vectors[i * dim + k] / n;
  }
  const data = new Float64Array(n * dim);
  let scale = 0;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < dim; k++) {
      const value = vectors[i * dim + k] - mean[k];
      data[i * dim + k] = value;
      scale = Math.max(scale, Math.abs(value));
    }
  }
  if (scale === 0) return { data, scale: 1 };
  for (let e = 0; e < data.length; e++) data[e] /= scale;
  return { data, scale };
}
