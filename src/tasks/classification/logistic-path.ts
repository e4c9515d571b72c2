/**
 * Logistic regressions of the same rows with increasing C (logistic-regression.ts has the objective). Each fit starts from
 * the solution of the fit before and ends at a given relative size of the gradient. The preconditioner is the inverse of
 * the curvature that the loss would have if every probability had the mean curvature κ of the current solution:
 * C·κ·XᵀX + I for the weights and C·κ·n for the intercepts, which have no penalty.
 */

import { cholesky, solve } from "../../numeric/gram-preconditioner.js";
import { minimizeLbfgs } from "../../numeric/lbfgs.js";
import { columnMeans, type Rows } from "../../numeric/rows.js";
import { coefficientsOf, type LogisticModel, logisticLoss, penalized } from "./logistic-regression.js";

/** L-BFGS steps between two updates of the preconditioner; not tuned. */
const STEPS_A_ROUND = 15;
/** Maximum number of rounds. */
const MAX_ROUNDS = 20;

/** Training rows minus their mean, which changes only the intercepts, and the lower triangle of their products XᵀX. */
export interface CentredRows extends Rows {
  readonly means: Float64Array;
  readonly products: Float64Array;
}

export function centredRows({ data, width }: Rows): CentredRows {
  const means = columnMeans(data, width);
  const centred = data.map((value, at) => value - means[at % width]);
  const products = new Float64Array(width * width);
  for (let row = 0; row < centred.length; row += width) {
    for (let a = 0; a < width; a++) {
      const value = centred[row + a];
      for (let b = 0, at = a * width; b <= a; b++) products[at + b] += value * centred[row + b];
    }
  }
  return { data: centred, width, means, products };
}

export class LogisticPath {
  readonly #rows: CentredRows;
  readonly #classes: ArrayLike<number>;
  readonly #numClasses: number;
  readonly #outputs: number;
  /** Maximum absolute entry of the gradient at zero weights, for C = 1. */
  readonly #gradientAtZero: number;
  #solution: Float64Array;

  constructor(rows: CentredRows, classes: ArrayLike<number>, numClasses: number) {
    this.#rows = rows;
    this.#classes = classes;
    this.#numClasses = numClasses;
    this.#outputs = numClasses === 2 ? 1 : numClasses;
    this.#solution = new Float64Array(this.#outputs * (rows.width + 1));
    const gradient = new Float64Array(this.#solution.length);
    logisticLoss(rows, classes, this.#outputs, 1)(this.#solution, gradient);
    this.#gradientAtZero = gradient.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  }

  /** Fits with C = `strength` until no entry of the gradient exceeds `tolerance` times the largest one at zero weights. */
  fit(strength: number, tolerance: number): LogisticModel {
    const outputs = this.#outputs;
    const { width } = this.#rows;
    const objective = penalized(this.#rows, this.#classes, outputs, strength);
    let converged = false;
    for (let round = 0; round < MAX_ROUNDS && !converged; round++) {
      const found = minimizeLbfgs(objective, this.#solution, {
        tolerance: tolerance * strength * this.#gradientAtZero,
        maxIterations: STEPS_A_ROUND,
        precondition: this.#preconditioner(strength),
      });
      this.#solution = found.x;
      converged = found.converged;
      if (found.iterations < STEPS_A_ROUND) break;
    }
    const { weights, intercepts } = coefficientsOf(this.#solution, outputs, width);
    const shifted = intercepts.map((intercept, c) =>
      this.#rows.means.reduce((sum, mean, k) => sum - mean * weights[c][k], intercept),
    );
    return { numClasses: this.#numClasses, weights, intercepts: shifted, converged };
  }

  #preconditioner(strength: number): (vector: Float64Array) => void {
    const { width, products } = this.#rows;
    const stride = width + 1;
    const curvature = strength * this.#meanCurvature();
    const matrix = products.map((product) => curvature * product);
    for (let k = 0; k < width; k++) matrix[k * stride] += 1;
    const factor = cholesky(matrix, width);
    const ofIntercept = curvature * this.#classes.length;
    return (vector) => {
      for (let at = 0; at < vector.length; at += stride) {
        solve(factor, width, vector, at);
        vector[at + width] /= ofIntercept;
      }
    };
  }

  /** Mean of p·(1 − p) over rows and outputs at the current solution. */
  #meanCurvature(): number {
    const { data, width } = this.#rows;
    const x = this.#solution;
    const logits = new Float64Array(this.#outputs);
    let sum = 0;
    for (let row = 0; row < data.length; row += width) {
      for (let c = 0, at = 0; c < logits.length; c++, at++) {
        let z = 0;
        for (let k = row; k < row + width; k++) z += x[at++] * data[k];
        logits[c] = z + x[at];
      }
      sum += curvatureOf(logits);
    }
    return Math.max(MIN_CURVATURE, sum / this.#classes.length);
  }
}

/** Minimum of the mean curvature, so that the curvature of the intercepts stays above zero; not tuned. */
const MIN_CURVATURE = 1e-6;

/** Mean of p·(1 − p): of a sigmoid for one logit, otherwise of a softmax. */
function curvatureOf(logits: Float64Array): number {
  if (logits.length === 1) {
    const e = Math.exp(-Math.abs(logits[0]));
    return e / (1 + e) ** 2;
  }
  const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  let sum = 0;
  let squares = 0;
  for (const z of logits) {
    const e = Math.exp(z - largest);
    sum += e;
    squares += e * e;
  }
  return (1 - squares / (sum * sum)) / logits.length;
}
