/**
 * Vectors for nodes that were not there in training, from their features: z ≈ mean + x·W, x the node's features weighted by
 * rarity and of length one (nn/feature-weights.ts), W by least squares with a penalty, found by conjugate gradients.
 * How much of each column it explains is measured on nodes left out of the fit.
 */

import type { Embedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import type { Work } from "../../core/work.js";
import { type SparseOperator, transposeOperator } from "../../engine/sparse.js";
import { type FeatureWeights, featureWeights, weighRows } from "../../nn/feature-weights.js";
import type { FeatureInput } from "../../nn/model.js";
import { selectRows } from "../../numeric/csr.js";
import { cholesky, solve } from "../../numeric/gram-preconditioner.js";
import { isLeftOut, MIN_MEASURED, SumsOfSquares } from "./held-out-r2.js";

/** What the features of a node tell of its vector; plain data. */
export interface FeatureMap {
  readonly dim: number;
  /** Of the features in the training. */
  readonly read: FeatureWeights;
  /** numColumns × dim */
  readonly weights: Float64Array;
  readonly mean: Float64Array;
  /** R² of every column on nodes left out; 0 with too few of them. */
  readonly fit: Float64Array;
}

/** Penalty on W; rows have length one, so that a feature of n nodes weighs up to n against it. */
const PENALTY = 1;
const MAX_ROUNDS = 20;
const CONVERGED = 1e-2;
/** Of the features of the nodes that are fitted on, and of W: the fit must not take longer than the training. */
const MAX_ENTRIES = 500_000;
const MAX_WEIGHTS = 20_000_000;
/** Nodes that are fitted on where vectors have more columns than there are nodes. */
const MAX_OF_FEW = 1024;

/** Work of `fitFeatureMap`, at most. */
export function featureMapWork({ numColumns, columns, rowStart }: FeatureInput, dim: number): Work {
  if (numColumns * dim > MAX_WEIGHTS) return {};
  const entries = Math.min(columns.length, MAX_ENTRIES);
  const rounds = rowStart.length - 1 < dim ? 1 : MAX_ROUNDS;
  return { loops: dim * (2 * rounds * entries + 6 * rounds * numColumns), entries: 4 * columns.length };
}

/** Fits the map on the features and the vectors of a training, a row of each for every node; undefined where there are too many features for it. */
export function fitFeatureMap(features: FeatureInput, { dim, vectors, ids }: Embedding): FeatureMap | undefined {
  if (features?.rowStart?.length !== ids?.length + 1) {
    throw new InputError("fitFeatureMap: expected the features and the vectors of the same nodes.");
  }
  if (features.numColumns * dim > MAX_WEIGHTS) return undefined;
  const numNodes = ids.length;
  const read = featureWeights(features, numNodes);
  const rows = weighRows(features, numNodes, read);
  const mean = new Float64Array(dim);
  for (let at = 0; at < vectors.length; at++) mean[at % dim] += vectors[at] / numNodes;
  const few = numNodes < dim;
  const byEntries = Math.ceil(features.columns.length / MAX_ENTRIES);
  const stride = Math.max(1, byEntries, few ? Math.ceil(numNodes / MAX_OF_FEW) : 1);
  const looked = Uint32Array.from({ length: Math.ceil(numNodes / stride) }, (_, at) => at * stride);
  const fitted = looked.filter((_, at) => !isLeftOut(at));
  const targets = new Float64Array(fitted.length * dim);
  fitted.forEach((i, at) => {
    for (let k = 0; k < dim; k++) targets[at * dim + k] = vectors[i * dim + k] - mean[k];
  });
  const inputs = { ...rows, ...selectRows(rows, fitted), numRows: fitted.length };
  const weights = (few ? ridgeOfFew : ridge)(inputs, targets, dim);
  const sums = new SumsOfSquares(dim);
  looked.forEach((i, at) => {
    if (!isLeftOut(at)) return;
    sums.add(applyFeatureMap({ dim, weights, mean }, rows, i), vectors.subarray(i * dim, (i + 1) * dim));
  });
  const fit = sums.count < MIN_MEASURED ? new Float64Array(dim) : sums.determination();
  return { dim, read, weights, mean, fit };
}

/** The vector of row i of weighted features. */
export function applyFeatureMap(
  { dim, weights, mean }: Pick<FeatureMap, "dim" | "weights" | "mean">,
  { rowStart, columns, values }: SparseOperator,
  i: number,
): Float64Array {
  const out = mean.slice();
  for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
    const x = values?.[e] ?? 1;
    for (let k = 0; k < dim; k++) out[k] += x * weights[columns[e] * dim + k];
  }
  return out;
}

/** (XᵀX + penalty)⁻¹·XᵀY, all columns of Y at once, each with its own steps. */
function ridge(x: SparseOperator, y: Float64Array, dim: number): Float64Array {
  const transposed = transposeOperator(x);
  const size = x.numColumns * dim;
  const right = new Float64Array(size);
  multiplyRows(transposed, y, dim, right);
  const image = new Float64Array(x.numRows * dim);
  const product = new Float64Array(size);
  const solution = new Float64Array(size);
  const residual = right.slice();
  const direction = right.slice();
  let squares = dots(residual, residual, dim);
  const goal = squares.map((square) => CONVERGED ** 2 * square);
  for (let round = 0; round < MAX_ROUNDS && squares.some((square, k) => square > goal[k]); round++) {
    multiplyRows(x, direction, dim, image);
    multiplyRows(transposed, image, dim, product);
    for (let at = 0; at < size; at++) product[at] += PENALTY * direction[at];
    const along = dots(direction, product, dim);
    const step = squares.map((square, k) => (along[k] > 0 ? square / along[k] : 0));
    for (let at = 0; at < size; at += dim) {
      for (let k = 0; k < dim; k++) {
        solution[at + k] += step[k] * direction[at + k];
        residual[at + k] -= step[k] * product[at + k];
      }
    }
    const next = dots(residual, residual, dim);
    const turn = next.map((square, k) => (squares[k] > 0 ? square / squares[k] : 0));
    for (let at = 0; at < size; at += dim) {
      for (let k = 0; k < dim; k++) direction[at + k] = residual[at + k] + turn[k] * direction[at + k];
    }
    squares = next;
  }
  return solution;
}

/** The same of few rows: Xᵀ·(X·Xᵀ + penalty)⁻¹·Y, without iterations. */
function ridgeOfFew(x: SparseOperator, y: Float64Array, dim: number): Float64Array {
  const { numRows: n, numColumns, rowStart, columns, values } = x;
  const gram = new Float64Array(n * n);
  const row = new Float64Array(numColumns);
  for (let i = 0; i < n; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) row[columns[e]] = values?.[e] ?? 1;
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let e = rowStart[j]; e < rowStart[j + 1]; e++) sum += (values?.[e] ?? 1) * row[columns[e]];
      gram[i * n + j] = sum / PENALTY;
    }
    gram[i * n + i] += 1;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) row[columns[e]] = 0;
  }
  const factor = cholesky(gram, n);
  const shares = new Float64Array(n * dim);
  const column = new Float64Array(n);
  for (let k = 0; k < dim; k++) {
    for (let i = 0; i < n; i++) column[i] = y[i * dim + k] / PENALTY;
    solve(factor, n, column, 0);
    for (let i = 0; i < n; i++) shares[i * dim + k] = column[i];
  }
  const weights = new Float64Array(numColumns * dim);
  multiplyRows(transposeOperator(x), shares, dim, weights);
  return weights;
}

/** y = X·x, row by row: `multiplySparse`, which goes column by column, takes several times as long. */
function multiplyRows(
  { numRows, rowStart, columns, values }: SparseOperator,
  x: Float64Array,
  dim: number,
  y: Float64Array,
): void {
  y.fill(0);
  for (let i = 0; i < numRows; i++) {
    const to = i * dim;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const from = columns[e] * dim;
      const weight = values?.[e] ?? 1;
      for (let k = 0; k < dim; k++) y[to + k] += weight * x[from + k];
    }
  }
}

/** Inner products of the columns. */
function dots(a: Float64Array, b: Float64Array, dim: number): Float64Array {
  const out = new Float64Array(dim);
  for (let at = 0; at < a.length; at += dim) for (let k = 0; k < dim; k++) out[k] += a[at + k] * b[at + k];
  return out;
}
