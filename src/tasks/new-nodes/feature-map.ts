/**
 * Predicts a node's vector from its features: z ≈ mean + x·W, where x are the node's features weighted by rarity and scaled
 * to length one (nn/feature-weights.ts). W is fitted by ridge regression, solved by conjugate gradients. R² of each column is
 * measured on held-out nodes.
 */

import { type Embedding, type VectorRows, vectorRows, vectorSlices } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import type { Work } from "../../core/work.js";
import { type SparseOperator, transposeOperator } from "../../engine/sparse.js";
import { type FeatureWeights, featureWeights, weighRows } from "../../nn/feature-weights.js";
import type { FeatureInput } from "../../nn/model.js";
import { multiplySparse, selectRows } from "../../numeric/csr.js";
import { cholesky, solve } from "../../numeric/gram-preconditioner.js";
import { isHeldOut, MIN_HELD_OUT, SumsOfSquares } from "./held-out-r2.js";

/** A linear map from the features of a node to its vector; plain data. */
export interface FeatureMap {
  readonly dim: number;
  /** How features are weighted before the map. */
  readonly read: FeatureWeights;
  /** W, numColumns × dim. */
  readonly weights: Float64Array;
  readonly mean: Float64Array;
  /** Held-out R² of every column; 0 with too few held-out nodes. */
  readonly fit: Float64Array;
}

/** Penalty on W². Rows have length one, so a feature that n nodes have contributes up to n to the diagonal of XᵀX. */
const PENALTY = 1;
/** Maximum number of rounds of conjugate gradients. */
const MAX_ROUNDS = 20;
/** Residual of a column, relative to the first one, at which it has converged. */
const CONVERGED = 1e-2;
/** Maximum number of feature entries of the nodes in the fit: the fit must not take longer than the training. */
const MAX_ENTRIES = 500_000;
/** Maximum size of W; with more features times columns no map is fitted. */
const MAX_WEIGHTS = 20_000_000;
/** Maximum number of sampled nodes if vectors have more columns than there are nodes: the Gram matrix is n × n. */
const MAX_GRAM_NODES = 1024;

/** Maximum work of `fitFeatureMap`. */
export function featureMapWork({ numColumns, columns, rowStart }: FeatureInput, dim: number): Work {
  if (numColumns * dim > MAX_WEIGHTS) return {};
  const entries = Math.min(columns.length, MAX_ENTRIES);
  const rounds = rowStart.length - 1 < dim ? 1 : MAX_ROUNDS;
  return { loops: dim * (2 * rounds * entries + 6 * rounds * numColumns), entries: 4 * columns.length };
}

/** Fits the map to the features and the vectors of the same nodes; undefined if there are too many features (MAX_WEIGHTS). */
export function fitFeatureMap(features: FeatureInput, source: Embedding | VectorRows): FeatureMap | undefined {
  const { dim, ids } = source;
  if (features?.rowStart?.length !== ids?.length + 1) {
    throw new InputError(
      "fitFeatureMap: features and vectors have different numbers of nodes; expected those of the same nodes.",
    );
  }
  if (features.numColumns * dim > MAX_WEIGHTS) return undefined;
  const numNodes = ids.length;
  const read = featureWeights(features, numNodes);
  const rows = weighRows(features, numNodes, read);
  const mean = new Float64Array(dim);
  for (const { vectors } of vectorSlices(vectorRows(source))) {
    for (let at = 0; at < vectors.length; at++) mean[at % dim] += vectors[at] / numNodes;
  }
  const byGram = numNodes < dim;
  const strideByEntries = Math.ceil(features.columns.length / MAX_ENTRIES);
  const stride = Math.max(1, strideByEntries, byGram ? Math.ceil(numNodes / MAX_GRAM_NODES) : 1);
  const sampled = Uint32Array.from({ length: Math.ceil(numNodes / stride) }, (_, at) => at * stride);
  const vectors = vectorRows(source).at(sampled);
  const places = sampled.map((_, at) => at).filter((at) => !isHeldOut(at));
  const fitted = places.map((at) => sampled[at]);
  const targets = new Float64Array(fitted.length * dim);
  places.forEach((place, at) => {
    for (let k = 0; k < dim; k++) targets[at * dim + k] = vectors[place * dim + k] - mean[k];
  });
  const inputs = { ...rows, ...selectRows(rows, fitted), numRows: fitted.length };
  const weights = (byGram ? ridgeByGram : ridge)(inputs, targets, dim);
  const sums = new SumsOfSquares(dim);
  sampled.forEach((i, at) => {
    if (!isHeldOut(at)) return;
    sums.add(applyFeatureMap({ dim, weights, mean }, rows, i), vectors.subarray(at * dim, (at + 1) * dim));
  });
  const fit = sums.count < MIN_HELD_OUT ? new Float64Array(dim) : sums.columnR2();
  return { dim, read, weights, mean, fit };
}

/** The vector predicted from row i of the weighted features. */
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

/** (XᵀX + penalty·I)⁻¹·XᵀY by conjugate gradients, all columns of Y at once, each with its own step sizes. */
function ridge(x: SparseOperator, y: Float64Array, dim: number): Float64Array {
  const transposed = transposeOperator(x);
  const size = x.numColumns * dim;
  const right = new Float64Array(size);
  multiplySparse(transposed, y, dim, right);
  const image = new Float64Array(x.numRows * dim);
  const product = new Float64Array(size);
  const solution = new Float64Array(size);
  const residual = right.slice();
  const direction = right.slice();
  let squares = dots(residual, residual, dim);
  const goal = squares.map((square) => CONVERGED ** 2 * square);
  for (let round = 0; round < MAX_ROUNDS && squares.some((square, k) => square > goal[k]); round++) {
    multiplySparse(x, direction, dim, image);
    multiplySparse(transposed, image, dim, product);
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

/** The same for few rows: Xᵀ·(X·Xᵀ + penalty·I)⁻¹·Y, solved directly. */
function ridgeByGram(x: SparseOperator, y: Float64Array, dim: number): Float64Array {
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
  const dual = new Float64Array(n * dim);
  const column = new Float64Array(n);
  for (let k = 0; k < dim; k++) {
    for (let i = 0; i < n; i++) column[i] = y[i * dim + k] / PENALTY;
    solve(factor, n, column, 0);
    for (let i = 0; i < n; i++) dual[i * dim + k] = column[i];
  }
  const weights = new Float64Array(numColumns * dim);
  multiplySparse(transposeOperator(x), dual, dim, weights);
  return weights;
}

/** Inner products of the columns of a and b. */
function dots(a: Float64Array, b: Float64Array, dim: number): Float64Array {
  const out = new Float64Array(dim);
  for (let at = 0; at < a.length; at += dim) for (let k = 0; k < dim; k++) out[k] += a[at + k] * b[at + k];
  return out;
}
