/**
 * Principal components: the directions of largest variance, as the eigenvectors of the covariance matrix, in float64; of
 * fewer vectors than columns by way of the inner products of the vectors.
 *
 * A direction is as good as its opposite: here the entry of largest magnitude (the first of several) is positive, so that
 * the same vectors always give the same picture.
 */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { requireCount } from "../../core/validation.js";
import { gramOfRows, sumOfRows } from "../../numeric/row-gram.js";
import { symmetricEigen } from "../../numeric/symmetric-eigen.js";

/** Variances below this share of the largest are rounding: their coordinates are zero. */
const NEGLIGIBLE = 1e-13;

/** Vectors along their directions of largest variance. */
export interface PrincipalComponents extends Embedding {
  /** Variance along each component, largest first (divided by the number of nodes). */
  readonly variances: readonly number[];
  /** The same as shares of the whole variance; zeros when all vectors are equal. */
  readonly shares: readonly number[];
}

/** Coordinates of the vectors along their first `count` principal components, mean zero. */
export function pca(embedding: Embedding, count = 2): PrincipalComponents {
  requireCount(count, "pca: count");
  requireVectors(embedding, "pca");
  const { ids, dim } = embedding;
  // two are given also of vectors of one column, for a map
  if (count > Math.max(2, dim)) {
    throw new InputError(`pca: count is ${count}; vectors of ${dim} columns have no more than ${dim} components.`);
  }
  const n = ids.length;
  const { data, scale } = centredUnit(embedding);
  const { values, direction: directionOf, total } = (n < dim ? axesOfFew : axes)(data, n, dim);
  const found = Array.from({ length: count }, (_, c) => {
    const variance = c < values.length && values[c] > NEGLIGIBLE * values[0] ? values[c] : 0;
    return { variance, direction: variance > 0 ? signed(directionOf(c)) : undefined };
  });
  const projected = new Float32Array(n * count);
  found.forEach(({ direction }, c) => {
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
    variances: found.map(({ variance }) => variance * scale * scale),
    shares: found.map(({ variance }) => (total > 0 ? variance / total : 0)),
  };
}

/** Variances along the principal directions, largest first, the unit vectors of these, and the whole variance. */
interface Axes {
  readonly values: Float64Array;
  readonly direction: (c: number) => Float64Array;
  readonly total: number;
}

function axes(data: Float64Array, n: number, dim: number): Axes {
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
  return { values, direction: (c) => vectors[c], total };
}

/** The same of fewer rows than columns: with X·Xᵀ·u = λ·u, Xᵀ·u/√λ is a unit eigenvector of Xᵀ·X. */
function axesOfFew(data: Float64Array, n: number, dim: number): Axes {
  const { values, vectors } = symmetricEigen(gramOfRows(data, n, dim), n);
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0) / n;
  return {
    values: values.map((value) => value / n),
    direction: (c) => sumOfRows(data, vectors[c], dim).map((x) => x / Math.sqrt(values[c])),
    total,
  };
}

/** The direction or its opposite, whichever has its largest entry positive. */
function signed(direction: Float64Array): Float64Array {
  let largest = 0;
  for (const value of direction) if (Math.abs(value) > Math.abs(largest)) largest = value;
  return largest < 0 ? direction.map((value) => -value) : direction;
}

/**
 * The vectors less their mean, divided by the largest magnitude (`scale`) so that no square over- or underflows. Fails
 * at a number that is not finite.
 */
export function centredUnit(embedding: Embedding): { data: Float64Array; scale: number } {
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
