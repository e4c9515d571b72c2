/** R² of a linear regression of one number per node on the vectors. */

import { type Embedding, type VectorRows, vectorRows } from "../../core/embedding.js";
import { symmetricEigen } from "../../numeric/eigen/symmetric-eigen.js";
import { addProducts, gramOfRows } from "../../numeric/rows.js";

/** A column depends on earlier ones if they leave less than this share of its variance unexplained. */
const DEPENDENT = 1e-8;
/** The numbers are constant if their variance is below this share of their mean square. */
const CONSTANT = 1e-10;

/** One number for each of these nodes. */
export interface NumberedNodes {
  readonly nodes: Uint32Array;
  readonly direction: Float64Array;
}

/**
 * Adjusted R², from 0 to 1, of the least-squares fit of one number per node by its vector and a constant; null if there are
 * too few nodes or the number is constant. Computed by a pivoted Cholesky factorisation of the covariance,
 * cᵀC⁻¹c = ‖L⁻¹c‖²; with more columns than nodes, from the eigenvectors of the Gram matrix.
 */
export function explainedVariance(source: Embedding | VectorRows, { nodes, direction }: NumberedNodes): number | null {
  const { ids, dim } = source;
  const vectors = vectorRows(source).at(nodes);
  const n = nodes.length;
  const mean = new Float64Array(dim + 1);
  nodes.forEach((_, i) => {
    for (let k = 0; k < dim; k++) mean[k] += vectors[i * dim + k] / n;
    mean[dim] += direction[i] / n;
  });
  if (ids.length < dim) return adjustedR2(explainedByGram(vectors, dim, mean, direction), n, mean[dim]);
  // covariance of the columns of the vectors and, last, of the number to explain
  const size = dim + 1;
  const moments = new Float64Array(size * size);
  const rows = new Float64Array(4 * size);
  for (let first = 0; first < n; first += 4) {
    rows.fill(0);
    for (let i = first, at = 0; i < Math.min(n, first + 4); i++, at += size) {
      for (let k = 0; k < dim; k++) rows[at + k] = vectors[i * dim + k] - mean[k];
      rows[at + dim] = direction[i] - mean[dim];
    }
    addProducts(moments, rows, rows, size);
  }
  const total = moments[dim * size + dim];
  return adjustedR2({ total, ...eliminate(moments, size) }, n, mean[dim]);
}

/** Total and explained sum of squares of a fit, and its number of independent variables. */
interface Explained {
  readonly total: number;
  readonly explained: number;
  readonly rank: number;
}

/** Adjusted R² of a fit of `n` numbers with mean `mean`. */
function adjustedR2({ total, explained, rank }: Explained, n: number, mean: number): number | null {
  if (!(total > CONSTANT * (total + n * mean ** 2)) || n < 2 * (rank + 1)) return null;
  const r2 = Math.min(1, explained / total);
  return Math.max(0, 1 - ((1 - r2) * (n - 1)) / (n - rank - 1));
}

/** For fewer nodes than columns: the part of the numbers in the span of the centred columns; mean[dim] is their mean. */
function explainedByGram(vectors: Float32Array, dim: number, mean: Float64Array, direction: Float64Array): Explained {
  const n = direction.length;
  const rows = Float64Array.from(vectors, (x, at) => x - mean[at % dim]);
  const centred = direction.map((x) => x - mean[dim]);
  const { values, vectors: spanning } = symmetricEigen(gramOfRows(rows, n, dim), n);
  const basis = spanning.filter((_, k) => values[k] > DEPENDENT * values[0]);
  return {
    total: dot(centred, centred),
    explained: basis.reduce((sum, vector) => sum + dot(vector, centred) ** 2, 0),
    rank: basis.length,
  };
}

/** The sum of squares of the last variable that the others explain, and the number of independent ones. */
function eliminate(moments: Float64Array, size: number): { explained: number; rank: number } {
  const last = size - 1;
  const at = (i: number, j: number) => (i >= j ? i * size + j : j * size + i);
  const variances = Float64Array.from({ length: size }, (_, k) => moments[at(k, k)]);
  const left = new Set(Array.from({ length: last }, (_, k) => k));
  let [explained, rank] = [0, 0];
  while (left.size > 0) {
    let pivot = -1;
    let share = DEPENDENT;
    for (const k of left) {
      const unexplained = variances[k] > 0 ? moments[at(k, k)] / variances[k] : 0;
      if (unexplained > share) [pivot, share] = [k, unexplained];
    }
    if (pivot < 0) break;
    left.delete(pivot);
    const variance = moments[at(pivot, pivot)];
    explained += moments[at(last, pivot)] ** 2 / variance;
    rank++;
    const rest = [...left, last].sort((a, b) => a - b);
    const column = rest.map((k) => moments[at(k, pivot)]);
    rest.forEach((i, a) => {
      const factor = column[a] / variance;
      if (factor !== 0) for (let b = 0; b <= a; b++) moments[i * size + rest[b]] -= factor * column[b];
    });
  }
  return { explained, rank };
}

function dot(x: Float64Array, y: Float64Array): number {
  let [a, b] = [0, 0];
  const end = x.length & ~1;
  for (let i = 0; i < end; i += 2) {
    a += x[i] * y[i];
    b += x[i + 1] * y[i + 1];
  }
  return end < x.length ? a + b + x[end] * y[end] : a + b;
}
