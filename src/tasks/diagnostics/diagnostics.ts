/**
 * Diagnostics of vectors: their effective rank, and whether relation weights were learnt.
 *
 * The effective rank (Roy, Vetterli, EUSIPCO 2007) is exp(−Σ p_i·ln p_i), where p are the squared singular values of the
 * centred vectors, normalised to sum 1. They are the eigenvalues of the dim × dim covariance or, with fewer nodes than
 * columns, of the n × n Gram matrix of the centred vectors.
 */

import { type Embedding, type VectorRows, vectorRows, vectorSlices } from "../../core/embedding.js";
import type { VectorDiagnostics, WeightMovement } from "../../core/record.js";
import { addWork, eigenWork, scaleWork, type Work } from "../../core/work.js";
import { symmetricEigenvalues } from "../../numeric/eigen/symmetric-eigen.js";
import { largestOf } from "../../numeric/extremes.js";
import { gramOfRows, mean, meanVector } from "../../numeric/rows.js";

/** A column is constant, up to float32 rounding, if its variance is below this share of its mean square. */
const CONSTANT = 1e-12;

/** Work of `diagnose`. */
export function diagnoseWork(numNodes: number, dim: number): Work {
  const size = Math.min(numNodes, dim);
  const values = scaleWork(eigenWork(size), size > 192 ? 1 / 3 : 1); // large matrices: eigenvalues without vectors
  return addWork(values, { loops: numNodes * dim * size + 6 * numNodes * dim });
}

/** Effective rank, dead units (constant columns) and mean cosine to the mean vector of an embedding. */
export function diagnose(source: Embedding | VectorRows): VectorDiagnostics {
  const rows = vectorRows(source);
  const { dim } = rows;
  const n = rows.ids.length;
  const mean = meanVector(rows);
  const { values, variances } = n < dim ? spectrumByGram(rows.range(0, n), n, dim, mean) : spectrum(rows, mean);
  let deadUnits = 0;
  variances.forEach((variance, k) => {
    if (!(variance > CONSTANT * (variance + mean[k] * mean[k]))) deadUnits++;
  });
  return { effectiveRank: effectiveRank(values), deadUnits, meanCosineToMean: meanCosine(rows, mean) };
}

/** Eigenvalues of the covariance, and the variance of every column. */
interface Spectrum {
  readonly values: Float64Array;
  readonly variances: Float64Array;
}

function spectrum(rows: VectorRows, mean: Float64Array): Spectrum {
  const { dim } = rows;
  const covariance = covarianceMatrix(rows, mean);
  const variances = Float64Array.from({ length: dim }, (_, k) => covariance[k * dim + k]);
  return { values: symmetricEigenvalues(covariance, dim), variances };
}

/** The same for fewer nodes than columns; the eigenvalues beyond the n-th are zero and omitted. */
function spectrumByGram(vectors: Float32Array, n: number, dim: number, mean: Float64Array): Spectrum {
  const centred = Float64Array.from(vectors, (x, at) => x - mean[at % dim]);
  const variances = new Float64Array(dim);
  for (let at = 0; at < centred.length; at++) variances[at % dim] += centred[at] ** 2 / n;
  const gram = gramOfRows(centred, n, dim);
  return { values: symmetricEigenvalues(gram, n).map((value) => value / n), variances };
}

/** How far relation weights moved from their initial values, in units of an equal share (1 / number of relations). */
export function weightMovement(
  weights: readonly { readonly name: string; readonly initial: readonly number[]; readonly final: readonly number[] }[],
): WeightMovement[] {
  return weights.map(({ name, initial, final }) => {
    const moved = final.map((weight, i) => Math.abs(weight - initial[i]) * final.length);
    return { name, max: largestOf(moved), mean: mean(moved) };
  });
}

function covarianceMatrix(source: VectorRows, mean: Float64Array): Float64Array {
  const { ids, dim } = source;
  const covariance = new Float64Array(dim * dim);
  // four rows at a time, so that each entry of the sum is read and written once for all of them
  const rows = Array.from({ length: 4 }, () => new Float64Array(dim));
  const [a, b, c, d] = rows;
  for (const { vectors } of vectorSlices(source)) {
    for (let at = 0; at < vectors.length; at += 4 * dim) {
      rows.forEach((row, r) => {
        const start = at + r * dim;
        for (let k = 0; k < dim; k++) row[k] = start < vectors.length ? vectors[start + k] - mean[k] : 0;
      });
      for (let k = 0; k < dim; k++) {
        const [p, q, r, s] = [a[k], b[k], c[k], d[k]];
        const first = k * dim;
        for (let l = k; l < dim; l++) covariance[first + l] += p * a[l] + q * b[l] + (r * c[l] + s * d[l]);
      }
    }
  }
  for (let k = 0; k < dim; k++) {
    for (let l = k; l < dim; l++) covariance[l * dim + k] = covariance[k * dim + l] /= ids.length;
  }
  return covariance;
}

/** exp of the entropy of the eigenvalues, normalised to sum 1; 0 if all are zero. */
export function effectiveRank(eigenvalues: Float64Array): number {
  let total = 0;
  for (const value of eigenvalues) total += Math.max(0, value);
  if (total === 0) return 0;
  let entropy = 0;
  for (const value of eigenvalues) {
    const p = Math.max(0, value) / total;
    if (p > 0) entropy -= p * Math.log(p);
  }
  return Math.exp(entropy);
}

function meanCosine(rows: VectorRows, mean: Float64Array): number {
  const meanNorm = Math.hypot(...mean); // at most 4096 columns
  if (meanNorm === 0) return 0;
  const { ids, dim } = rows;
  let sum = 0;
  for (const { vectors } of vectorSlices(rows)) {
    for (let at = 0; at < vectors.length; at += dim) {
      let dot = 0;
      let square = 0;
      for (let k = 0; k < dim; k++) {
        const value = vectors[at + k];
        dot += value * mean[k];
        square += value * value;
      }
      if (square > 0) sum += dot / (Math.sqrt(square) * meanNorm);
    }
  }
  return sum / ids.length;
}
