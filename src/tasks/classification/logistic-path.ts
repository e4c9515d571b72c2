/**
 * Logistic regressions of the same rows and classes with increasing C (logistic-regression.ts has the objective). Each fit
 * starts from the solution of the fit before and ends at a given relative size of the gradient. The preconditioner is
 * updated as the probabilities change, and it is exact for the intercepts, which have no penalty: with a small C they
 * are nearly all that is learnt.
 */

import { gramPreconditioner } from "../../numeric/gram-preconditioner.js";
import { minimizeLbfgs } from "../../numeric/lbfgs.js";
import { columnMeans, type Rows } from "../../numeric/rows.js";
import { coefficientsOf, type LogisticModel, logisticLoss, penalized } from "./logistic-regression.js";

/** L-BFGS steps between two updates of the preconditioner; not tuned. */
const STEPS_A_ROUND = 15;
/** Maximum number of rounds. */
const MAX_ROUNDS = 20;

export class LogisticPath {
  readonly #rows: Rows;
  readonly #means: Float64Array;
  readonly #classes: ArrayLike<number>;
  readonly #numClasses: number;
  readonly #outputs: number;
  /** Maximum absolute entry of the gradient at zero weights, for C = 1. */
  readonly #gradientAtZero: number;
  #solution: Float64Array;

  constructor({ data, width }: Rows, classes: ArrayLike<number>, numClasses: number) {
    this.#means = columnMeans(data, width);
    // centred columns change only the intercepts, and separate these from the weights
    this.#rows = { data: data.map((value, at) => value - this.#means[at % width]), width };
    this.#classes = classes;
    this.#numClasses = numClasses;
    this.#outputs = numClasses === 2 ? 1 : numClasses;
    this.#solution = new Float64Array(this.#outputs * (width + 1));
    const gradient = new Float64Array(this.#solution.length);
    logisticLoss(this.#rows, classes, this.#outputs, 1)(this.#solution, gradient);
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
      this.#means.reduce((sum, mean, k) => sum - mean * weights[c][k], intercept),
    );
    return { numClasses: this.#numClasses, weights, intercepts: shifted, converged };
  }

  #preconditioner(strength: number): (vector: Float64Array) => void {
    const stride = this.#rows.width + 1;
    const curvatures = this.#curvatures(strength);
    const total = curvatures.reduce((sum, curvature) => sum + curvature, 0);
    const precondition = gramPreconditioner(this.#rows, curvatures);
    return (vector) => {
      precondition(vector);
      // the preconditioner adds 1 to the curvature of the intercept, too
      for (let at = stride - 1; at < vector.length; at += stride) vector[at] *= (total + 1) / total;
    };
  }

  /** For each row, C times the mean over the outputs of p·(1 − p), at the current solution. */
  #curvatures(strength: number): Float64Array {
    const { data, width } = this.#rows;
    const x = this.#solution;
    const outputs = this.#outputs;
    const logits = new Float64Array(outputs);
    return Float64Array.from({ length: data.length / width }, (_, i) => {
      for (let c = 0, at = 0; c < outputs; c++, at++) {
        let z = 0;
        for (let k = i * width; k < (i + 1) * width; k++) z += x[at++] * data[k];
        logits[c] = z + x[at];
      }
      return strength * Math.max(MIN_CURVATURE, meanCurvature(logits));
    });
  }
}

/** Minimum of p·(1 − p), so that the curvature of the intercepts stays above zero; not tuned. */
const MIN_CURVATURE = 1e-6;

/** Mean of p·(1 − p): of a sigmoid for one logit, otherwise of a softmax. */
function meanCurvature(logits: Float64Array): number {
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
