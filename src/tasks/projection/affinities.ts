/**
 * The affinities of t-SNE from nearest neighbours (van der Maaten, Hinton 2008, eq. 1): p_j|i ∝ exp(−β_i·d²_ij), where β_i
 * makes the entropy of row i the logarithm of the perplexity; then P = (p_j|i + p_i|j) / 2n, whose entries sum to 1.
 */

import type { SparseOperator } from "../../engine/sparse.js";
import { symmetricSum, transposeRows } from "../../numeric/csr.js";

export interface Neighbors {
  readonly numPoints: number;
  /** Number of neighbours of each point. */
  readonly k: number;
  /** Indices of the neighbours, numPoints × k. */
  readonly indices: Uint32Array;
  /** Squared distances, nearest first, numPoints × k. */
  readonly distances: Float32Array;
}

/** Maximum number of halvings of the interval of β; 50 reach the last bits of float64. */
const MAX_HALVINGS = 64;
/** Difference of the entropies at which the search of β ends. */
const ENTROPY_TOLERANCE = 1e-5;
/** Smaller affinities of a row become zero: they have no effect, and tiny float32 numbers are slow. */
const MIN_SHARE = 1e-12;

/**
 * Conditional affinities p_j|i, numPoints × k; each row sums to 1. If no β reaches the entropy, because all neighbours have the
 * same distance (duplicates), the row is the limit of the search: equal shares of the nearest neighbours.
 */
export function conditionalAffinities({ numPoints, k, distances }: Neighbors, perplexity: number): Float64Array {
  const targetEntropy = Math.log(perplexity);
  const shares = new Float64Array(numPoints * k);
  for (let i = 0; i < numPoints; i++) {
    const row = shares.subarray(i * k, (i + 1) * k);
    const nearest = distances[i * k];
    let mean = 0;
    for (let e = 0; e < k; e++) mean += (distances[i * k + e] - nearest) / k;
    let beta = mean > 0 ? 1 / mean : 1;
    let low = 0;
    let high = Infinity;
    for (let halving = 0; halving < MAX_HALVINGS; halving++) {
      const excess = fillRow(row, distances, i * k, beta) - targetEntropy;
      if (Math.abs(excess) < ENTROPY_TOLERANCE || mean === 0) break;
      if (excess > 0) {
        low = beta;
        beta = high === Infinity ? beta * 2 : (beta + high) / 2;
      } else {
        high = beta;
        beta = (beta + low) / 2;
      }
    }
  }
  return shares;
}

/** Fills a row with exp(−β·(d − nearest)), normalised to sum 1; returns its entropy. */
function fillRow(row: Float64Array, distances: Float32Array, start: number, beta: number): number {
  const nearest = distances[start];
  let sum = 0;
  let weighted = 0;
  for (let e = 0; e < row.length; e++) {
    const away = distances[start + e] - nearest;
    const weight = Math.exp(-beta * away);
    row[e] = weight;
    sum += weight;
    weighted += weight * away;
  }
  for (let e = 0; e < row.length; e++) row[e] /= sum;
  return Math.log(sum) + (beta * weighted) / sum;
}

/** P = (S + Sᵀ) / 2n for the conditional affinities S; the columns of each row ascend. */
export function symmetricAffinities(neighbors: Neighbors, shares: Float64Array): SparseOperator {
  const { numPoints: n } = neighbors;
  // transposing twice sorts the rows
  const incoming = transposeRows(outgoingRows(neighbors, shares), n);
  const outgoing = transposeRows(incoming, n);
  return {
    numRows: n,
    numColumns: n,
    ...symmetricSum(outgoing, incoming, 2 * n),
    diagonal: 0,
    symmetric: true,
  };
}

/** The conditional affinities of at least `MIN_SHARE`, as sparse rows. */
function outgoingRows({ numPoints, k, indices }: Neighbors, shares: Float64Array) {
  const rowStart = new Uint32Array(numPoints + 1);
  const columns = new Uint32Array(numPoints * k);
  const values = new Float64Array(numPoints * k);
  let end = 0;
  for (let i = 0; i < numPoints; i++) {
    for (let e = i * k; e < (i + 1) * k; e++) {
      if (shares[e] < MIN_SHARE) continue;
      columns[end] = indices[e];
      values[end++] = shares[e];
    }
    rowStart[i + 1] = end;
  }
  return { rowStart, columns: columns.subarray(0, end), values: values.subarray(0, end) };
}
