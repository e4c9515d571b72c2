/**
 * Binary cross-entropy of logits ℓ against targets t, summed and multiplied by a constant:
 * s·Σ_i max(ℓ_i, 0) − ℓ_i·t_i + log(1 + exp(−|ℓ_i|)), which neither overflows nor loses small losses.
 *
 * Gradient: s·g·(sigmoid(ℓ) − t).
 */

import { defineOp, requireShape, type Tensor } from "../program.js";

interface Attributes {
  readonly factor: number;
}

export const bceLogitsOp = defineOp<Attributes>({
  name: "bceLogits",
  outputs([logits, targets]) {
    requireShape(logits.rows === targets.rows && logits.cols === targets.cols, "bceLogits", [logits, targets]);
    return [{ rows: 1, cols: 1 }];
  },
  reference([logits, targets], [y], { factor }) {
    let sum = 0;
    for (let i = 0; i < logits.data.length; i++) {
      const logit = logits.data[i];
      sum += Math.max(logit, 0) - logit * targets.data[i] + Math.log1p(Math.exp(-Math.abs(logit)));
    }
    y.data[0] = factor * sum;
  },
  gradient({ inputs: [logits, targets], gradients: [g], attributes }) {
    if (g === undefined) return [undefined, undefined];
    return [g.builder.apply(bceLogitsGradientOp, [logits, targets, g], attributes)[0], undefined];
  },
  encode: ({ factor }) => [{ float: factor }],
});

export const bceLogitsGradientOp = defineOp<Attributes>({
  name: "bceLogitsGradient",
  inPlace: 0,
  outputs([logits, targets, g]) {
    requireShape(g.rows === 1 && g.cols === 1, "bceLogitsGradient", [logits, targets, g]);
    return [{ rows: logits.rows, cols: logits.cols }];
  },
  reference([logits, targets, g], [dx], { factor }) {
    for (let i = 0; i < dx.data.length; i++) {
      dx.data[i] = factor * g.data[0] * (1 / (1 + Math.exp(-logits.data[i])) - targets.data[i]);
    }
  },
  gradient: "second derivatives are not used",
  encode: ({ factor }) => [{ float: factor }],
});

/** Mean binary cross-entropy: [m, 1], [m, 1] → [1, 1]; with `factor` the factor times the sum instead. */
export function bceLogits(logits: Tensor, targets: Tensor, factor = 1 / (logits.rows * logits.cols)): Tensor {
  return logits.builder.apply(bceLogitsOp, [logits, targets], { factor })[0];
}
