/**
 * L2-regularised logistic regression, solved to convergence: binary (one logit) or multinomial (one logit per class).
 *
 * Minimises C·Σ_i loss_i + ½‖W‖² without a penalty on the intercepts: the objective of scikit-learn's LogisticRegression,
 * hence the same coefficients.
 */

import { gramPreconditioner } from "../../numeric/gram-preconditioner.js";
import { type LbfgsResult, minimizeLbfgs, type Objective } from "../../numeric/lbfgs.js";
import { columnMeans, type Rows } from "../../numeric/rows.js";

export interface Coefficients {
  /** One row of coefficients for two classes, otherwise one per class. */
  readonly weights: readonly Float64Array[];
  readonly intercepts: Float64Array;
}

export interface LogisticModel extends Coefficients {
  readonly numClasses: number;
  readonly converged: boolean;
}

/** Rows processed together, so that coefficients and gradient are read once for all of them. */
const BLOCK = 4;

/**
 * Maximum absolute entry of the gradient at convergence, for C ≤ 1; for larger C it is multiplied by C. The penalty makes
 * the curvature at least 1, so the weights are then within this times √(number of weights) of the minimum.
 */
const TOLERANCE = 1e-7;

/** Maximum number of columns for a preconditioner; with more, their matrix of products costs more than it saves. */
const MAX_PRECONDITIONED = 256;
/** Maximum number of L-BFGS steps. */
const MAX_STEPS = 1000;
/** L-BFGS steps between two updates of the curvature; from 8 to 30 the time is the same within a tenth. */
const STEPS_A_ROUND = 15;

/** Fits class indices 0 … numClasses−1. `strength` is C: larger means less regularisation. */
export function fitLogistic(
  rows: Rows,
  classes: ArrayLike<number>,
  numClasses: number,
  strength: number,
): LogisticModel {
  const { width } = rows;
  const outputs = numClasses === 2 ? 1 : numClasses;
  const { x, converged } =
    outputs === 1 && width <= MAX_PRECONDITIONED
      ? solveInRounds(rows, classes, strength)
      : solve(rows, classes, numClasses, strength);
  return { numClasses, ...coefficientsOf(x, outputs, width), converged };
}

/** Splits a solution, which holds for each output the weights and then the intercept. */
export function coefficientsOf(x: Float64Array, outputs: number, width: number): Coefficients {
  const stride = width + 1;
  return {
    weights: Array.from({ length: outputs }, (_, c) => x.slice(c * stride, c * stride + width)),
    intercepts: Float64Array.from({ length: outputs }, (_, c) => x[c * stride + width]),
  };
}

type Solution = Pick<LbfgsResult, "x" | "converged">;

/** Solves problems with several classes, or with more than `MAX_PRECONDITIONED` columns. */
function solve(rows: Rows, classes: ArrayLike<number>, numClasses: number, strength: number): Solution {
  const outputs = numClasses === 2 ? 1 : numClasses;
  const precondition =
    rows.width <= MAX_PRECONDITIONED
      ? gramPreconditioner(
          rows,
          new Float64Array(classes.length).fill(strength * curvatureOfShares(classes, numClasses)),
        )
      : undefined;
  return minimizeLbfgs(penalized(rows, classes, outputs, strength), new Float64Array(outputs * (rows.width + 1)), {
    tolerance: toleranceOf(strength),
    maxIterations: MAX_STEPS,
    precondition,
  });
}

/**
 * Solves problems with two classes. The curvature is then one matrix; updating it every `STEPS_A_ROUND` steps needs about a
 * tenth of the steps.
 */
function solveInRounds(rows: Rows, classes: ArrayLike<number>, strength: number): Solution {
  const { width } = rows;
  // centring the columns changes only the intercept, which has no penalty, and makes the problem better conditioned
  const means = columnMeans(rows.data, width);
  const centred = { data: rows.data.map((value, at) => value - means[at % width]), width };
  const objective = penalized(centred, classes, 1, strength);
  let x: Float64Array = new Float64Array(width + 1);
  let converged = false;
  for (let taken = 0, last = STEPS_A_ROUND; taken < MAX_STEPS && last === STEPS_A_ROUND && !converged; taken += last) {
    ({
      x,
      converged,
      iterations: last,
    } = minimizeLbfgs(objective, x, {
      tolerance: toleranceOf(strength),
      maxIterations: STEPS_A_ROUND,
      precondition: gramPreconditioner(centred, curvaturesAt(x, centred, strength)),
    }));
  }
  means.forEach((mean, k) => {
    x[width] -= x[k] * mean;
  });
  return { x, converged };
}

function toleranceOf(strength: number): number {
  return TOLERANCE * Math.max(1, strength);
}

/** The objective: the loss plus ½‖W‖². */
export function penalized(rows: Rows, classes: ArrayLike<number>, outputs: number, strength: number): Objective {
  const { width } = rows;
  const stride = width + 1;
  const loss = logisticLoss(rows, classes, outputs, strength);
  return (x, gradient) => {
    let value = loss(x, gradient);
    for (let c = 0; c < outputs; c++) {
      for (let k = c * stride; k < c * stride + width; k++) {
        value += 0.5 * x[k] * x[k];
        gradient[k] += x[k];
      }
    }
    return value;
  };
}

/** C times the second derivative of each row's two-class loss with respect to its logit, at x. */
function curvaturesAt(x: Float64Array, { data, width }: Rows, strength: number): Float64Array {
  return Float64Array.from({ length: data.length / width }, (_, i) => {
    let z = x[width];
    for (let k = 0; k < width; k++) z += x[k] * data[i * width + k];
    const p = sigmoid(z);
    return strength * p * (1 - p);
  });
}

/** The curvature of a probe that predicts the class shares p for every row: the mean of p·(1 − p). */
function curvatureOfShares(classes: ArrayLike<number>, numClasses: number): number {
  const counts = new Float64Array(numClasses);
  for (let i = 0; i < classes.length; i++) counts[classes[i]]++;
  const shares = counts.map((count) => count / classes.length);
  return shares.reduce((sum, p) => sum + p * (1 - p), 0) / numClasses;
}

/** `e` is exp(−|z|). */
function sigmoid(z: number, e = Math.exp(-Math.abs(z))): number {
  return (z >= 0 ? 1 : e) / (1 + e);
}

/**
 * C·Σ loss_i as a function of x; it also writes the gradient. For each output, x holds the weights, then the intercept. One
 * output is a sigmoid for classes 0 and 1, several outputs are a softmax.
 */
export function logisticLoss(
  { data, width }: Rows,
  classes: ArrayLike<number>,
  outputs: number,
  strength: number,
): Objective {
  const n = classes.length;
  const stride = width + 1;
  const logits = new Float64Array(BLOCK * outputs);
  return (x, gradient) => {
    gradient.fill(0);
    let value = 0;
    for (let i = 0; i < n; i += BLOCK) {
      // beyond the end the last row is read again with weight 0
      const r0 = i * width;
      const r1 = Math.min(i + 1, n - 1) * width;
      const r2 = Math.min(i + 2, n - 1) * width;
      const r3 = Math.min(i + 3, n - 1) * width;
      for (let c = 0; c < outputs; c++) {
        const at = c * stride;
        let z0 = x[at + width];
        let z1 = z0;
        let z2 = z0;
        let z3 = z0;
        for (let k = 0; k < width; k++) {
          const w = x[at + k];
          z0 += w * data[r0 + k];
          z1 += w * data[r1 + k];
          z2 += w * data[r2 + k];
          z3 += w * data[r3 + k];
        }
        logits[c] = z0;
        logits[outputs + c] = z1;
        logits[2 * outputs + c] = z2;
        logits[3 * outputs + c] = z3;
      }
      for (let r = 0; r < BLOCK; r++) {
        const at = r * outputs;
        if (i + r >= n) logits.fill(0, at, at + outputs);
        else
          value +=
            outputs === 1 ? binaryLoss(logits, at, classes[i + r]) : softmaxLoss(logits, at, outputs, classes[i + r]);
      }
      for (let c = 0; c < outputs; c++) {
        const at = c * stride;
        const g0 = strength * logits[c];
        const g1 = strength * logits[outputs + c];
        const g2 = strength * logits[2 * outputs + c];
        const g3 = strength * logits[3 * outputs + c];
        for (let k = 0; k < width; k++) {
          gradient[at + k] += g0 * data[r0 + k] + g1 * data[r1 + k] + (g2 * data[r2 + k] + g3 * data[r3 + k]);
        }
        gradient[at + width] += g0 + g1 + (g2 + g3);
      }
    }
    return strength * value;
  };
}

/** Loss if the true class is `target`, 0 or 1; replaces the logit by d loss / d logit. */
function binaryLoss(logits: Float64Array, at: number, target: number): number {
  const z = logits[at];
  const e = Math.exp(-Math.abs(z));
  logits[at] = sigmoid(z, e) - target;
  return Math.max(z, 0) - z * target + Math.log1p(e);
}

/** Loss if the true class is `target`; replaces the logits by d loss / d logit. */
function softmaxLoss(logits: Float64Array, at: number, outputs: number, target: number): number {
  let largest = -Infinity;
  for (let c = at; c < at + outputs; c++) largest = Math.max(largest, logits[c]);
  const logit = logits[at + target];
  let sum = 0;
  for (let c = at; c < at + outputs; c++) sum += logits[c] = Math.exp(logits[c] - largest);
  for (let c = at; c < at + outputs; c++) logits[c] /= sum;
  logits[at + target] -= 1;
  return largest + Math.log(sum) - logit;
}

/** Decision values of each row: one column for two classes, otherwise one per class. */
export function decisionValues({ weights, intercepts }: Coefficients, rows: Rows): Float64Array {
  const n = rows.data.length / rows.width;
  const outputs = weights.length;
  const values = new Float64Array(n * outputs);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < outputs; c++) {
      let sum = intercepts[c];
      for (let k = 0; k < rows.width; k++) sum += weights[c][k] * rows.data[i * rows.width + k];
      values[i * outputs + c] = sum;
    }
  }
  return values;
}
