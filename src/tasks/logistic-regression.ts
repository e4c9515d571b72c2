/**
 * L2-regularised logistic regression, solved to convergence: binary (one logit) or multinomial (one logit a class).
 *
 * Minimises C·Σ_i loss_i + ½‖W‖², intercepts free: the objective, and with it the coefficients, of scikit-learn's
 * LogisticRegression.
 */

import { minimizeLbfgs } from "./lbfgs.js";

export interface LogisticModel {
  readonly numClasses: number;
  /** One row for two classes, else one per class; each numFeatures long. */
  readonly weights: readonly Float64Array[];
  readonly intercepts: Float64Array;
  readonly converged: boolean;
}

/** Rows of features; row-major, `width` numbers each. */
export interface Rows {
  readonly data: Float64Array;
  readonly width: number;
}

/** Fits class indices 0 … numClasses−1. `strength` is C: larger means less regularisation. */
export function fitLogistic(
  rows: Rows,
  classes: ArrayLike<number>,
  numClasses: number,
  strength: number,
): LogisticModel {
  const { data, width } = rows;
  const n = classes.length;
  const outputs = numClasses === 2 ? 1 : numClasses;
  const stride = width + 1;
  const logits = new Float64Array(outputs);
  const result = minimizeLbfgs(
    (x, gradient) => {
      gradient.fill(0);
      let value = 0;
      for (let i = 0; i < n; i++) {
        for (let c = 0; c < outputs; c++) logits[c] = logit(x, c * stride, data, i * width, width);
        value += residuals(logits, classes[i]);
        for (let c = 0; c < outputs; c++) {
          const residual = strength * logits[c];
          const at = c * stride;
          for (let k = 0; k < width; k++) gradient[at + k] += residual * data[i * width + k];
          gradient[at + width] += residual;
        }
      }
      value *= strength;
      for (let c = 0; c < outputs; c++) {
        for (let k = 0; k < width; k++) {
          const w = x[c * stride + k];
          value += 0.5 * w * w;
          gradient[c * stride + k] += w;
        }
      }
      return value;
    },
    new Float64Array(outputs * stride),
    { tolerance: 1e-7 * Math.max(1, strength * n * 1e-2) },
  );
  const weights = Array.from({ length: outputs }, (_, c) => result.x.slice(c * stride, c * stride + width));
  const intercepts = Float64Array.from({ length: outputs }, (_, c) => result.x[c * stride + width]);
  return { numClasses, weights, intercepts, converged: result.converged };
}

function logit(x: Float64Array, at: number, data: Float64Array, row: number, width: number): number {
  let sum = x[at + width];
  for (let k = 0; k < width; k++) sum += x[at + k] * data[row + k];
  return sum;
}

/** Turns logits into d loss / d logit in place; returns the loss of class `target`. */
function residuals(logits: Float64Array, target: number): number {
  if (logits.length === 1) {
    const z = logits[0];
    logits[0] = 1 / (1 + Math.exp(-z)) - target;
    return Math.max(z, 0) - z * target + Math.log1p(Math.exp(-Math.abs(z)));
  }
  let largest = -Infinity;
  for (let c = 0; c < logits.length; c++) largest = Math.max(largest, logits[c]);
  let sum = 0;
  for (let c = 0; c < logits.length; c++) sum += Math.exp(logits[c] - largest);
  const loss = largest + Math.log(sum) - logits[target];
  for (let c = 0; c < logits.length; c++) logits[c] = Math.exp(logits[c] - largest) / sum - (c === target ? 1 : 0);
  return loss;
}

/** Decision values of each row: one column for two classes, else one per class. */
export function decisionValues(model: LogisticModel, rows: Rows): Float64Array {
  const n = rows.data.length / rows.width;
  const outputs = model.weights.length;
  const values = new Float64Array(n * outputs);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < outputs; c++) {
      let sum = model.intercepts[c];
      for (let k = 0; k < rows.width; k++) sum += model.weights[c][k] * rows.data[i * rows.width + k];
      values[i * outputs + c] = sum;
    }
  }
  return values;
}

/** The most likely class of each row. */
export function predictClasses(model: LogisticModel, rows: Rows): Int32Array {
  const outputs = model.weights.length;
  const values = decisionValues(model, rows);
  return Int32Array.from({ length: values.length / outputs }, (_, i) => {
    if (outputs === 1) return values[i] > 0 ? 1 : 0;
    let best = 0;
    for (let c = 1; c < outputs; c++) if (values[i * outputs + c] > values[i * outputs + best]) best = c;
    return best;
  });
}
