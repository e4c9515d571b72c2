/** Linear maps from `dim + 2` inputs to vectors with `dim` columns, by least squares with a small penalty. */

import { cholesky, solve } from "./gram-preconditioner.js";
import { addProducts, gramOfRows } from "./rows.js";

/** Penalty divided by the mean square of an input; not tuned. */
const RIDGE = 1e-3;

export interface Example {
  readonly input: Float64Array;
  readonly vector: Float32Array;
}

/** The weights, (dim + 2) × dim. */
export function leastSquares(examples: readonly Example[], dim: number): Float64Array {
  const size = dim + 2;
  const gram = new Float64Array(size * size);
  const right = new Float64Array(size * dim);
  const inputs = new Float64Array(4 * size);
  const vectors = new Float64Array(4 * dim);
  for (let first = 0; first < examples.length; first += 4) {
    for (let at = 0; at < 4; at++) {
      const example = examples.at(first + at);
      if (example === undefined) {
        inputs.fill(0, at * size);
        vectors.fill(0, at * dim);
        break;
      }
      inputs.set(example.input, at * size);
      vectors.set(example.vector, at * dim);
    }
    addProducts(gram, inputs, inputs, size);
    addProducts(right, inputs, vectors, dim);
  }
  let trace = 0;
  for (let a = 0; a < size; a++) trace += gram[a * size + a];
  // everything is divided by the penalty, so that the penalty itself is 1
  const penalty = (RIDGE * trace) / size;
  for (let at = 0; at < gram.length; at++) gram[at] /= penalty;
  for (let a = 0; a < size; a++) gram[a * size + a] += 1;
  const factor = cholesky(gram, size);
  const weights = new Float64Array(size * dim);
  for (let k = 0; k < dim; k++) {
    const column = Float64Array.from({ length: size }, (_, a) => right[a * dim + k] / penalty);
    solve(factor, size, column, 0);
    for (let a = 0; a < size; a++) weights[a * dim + k] = column[a];
  }
  return weights;
}

/** The same for fewer examples than inputs: Xᵀ·(X·Xᵀ + penalty)⁻¹·Y, where the rows of X are the inputs and those of Y the vectors. */
export function leastSquaresOfFew(examples: readonly Example[], dim: number): Float64Array {
  const size = dim + 2;
  const n = examples.length;
  const inputs = new Float64Array(n * size);
  examples.forEach(({ input }, i) => {
    inputs.set(input, i * size);
  });
  const gram = gramOfRows(inputs, n, size);
  let trace = 0;
  for (let i = 0; i < n; i++) trace += gram[i * n + i];
  const penalty = (RIDGE * trace) / size;
  for (let at = 0; at < gram.length; at++) gram[at] /= penalty;
  for (let i = 0; i < n; i++) gram[i * n + i] += 1;
  const factor = cholesky(gram, n);
  const weights = new Float64Array(size * dim);
  const column = new Float64Array(n);
  const shares = new Float64Array(n * dim);
  for (let k = 0; k < dim; k++) {
    for (let i = 0; i < n; i++) column[i] = examples[i].vector[k] / penalty;
    solve(factor, n, column, 0);
    for (let i = 0; i < n; i++) shares[i * dim + k] = column[i];
  }
  for (let i = 0; i < n; i++) {
    for (let a = 0; a < size; a++) {
      const x = inputs[i * size + a];
      for (let k = 0, at = a * dim; k < dim; k++, at++) weights[at] += x * shares[i * dim + k];
    }
  }
  return weights;
}
