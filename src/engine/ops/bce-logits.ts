/**
 * Binary cross-entropy of logits ℓ against targets t, weighted by row (w, optional), summed and multiplied by a constant s:
 * s·Σ_i w_i·(max(ℓ_i, 0) − ℓ_i·t_i + log(1 + exp(−|ℓ_i|))). This form does not overflow and keeps the digits of small losses.
 *
 * Gradient: s·w_i·g·(sigmoid(ℓ) − t). Targets and weights have none.
 */

import { entryChunkRows } from "../partition/chunks.js";
import { sumOverRows } from "../partition/reduce-rule.js";
import { rowLocal } from "../partition/row-rules.js";
import { defineOp, type HostTensor, requireShape, type Tensor } from "../program.js";

interface Attributes {
  readonly factor: number;
  readonly weighted: boolean;
}

function requireFit(op: string, inputs: readonly Tensor[], weights: Tensor | undefined): void {
  const [logits, targets] = inputs;
  const same = logits.rows === targets.rows && logits.cols === targets.cols;
  requireShape(same && (weights === undefined || (weights.rows === logits.rows && weights.cols === 1)), op, inputs);
}

/** The weight of entry i. */
function weightOf(weights: HostTensor | undefined, i: number, cols: number): number {
  return weights === undefined ? 1 : weights.data[Math.floor(i / cols)];
}

const encode = ({ factor, weighted }: Attributes) => [{ float: factor }, { int: weighted ? 1 : 0 }];

export const bceLogitsOp = defineOp<Attributes>({
  name: "bceLogits",
  outputs(inputs) {
    requireFit("bceLogits", inputs, inputs[2]);
    return [{ rows: 1, cols: 1 }];
  },
  reference([logits, targets, weights], [y], { factor }) {
    let sum = 0;
    for (let i = 0; i < logits.data.length; i++) {
      const logit = logits.data[i];
      const loss = Math.max(logit, 0) - logit * targets.data[i] + Math.log1p(Math.exp(-Math.abs(logit)));
      sum += weightOf(weights, i, logits.cols) * loss;
    }
    y.data[0] = factor * sum;
  },
  gradient({ inputs: [logits, targets, ...weights], gradients: [g], attributes }) {
    if (g === undefined) return [undefined];
    return [g.builder.apply(bceLogitsGradientOp, [logits, targets, g, ...weights], attributes)[0]];
  },
  encode,
  partition: sumOverRows({ chunkRows: ([logits]) => entryChunkRows(logits), partBytes: () => 8 }),
});

export const bceLogitsGradientOp = defineOp<Attributes>({
  name: "bceLogitsGradient",
  inPlace: 0,
  outputs(inputs) {
    const [logits, , g] = inputs;
    requireFit("bceLogitsGradient", inputs, inputs[3]);
    requireShape(g.rows === 1 && g.cols === 1, "bceLogitsGradient", inputs);
    return [{ rows: logits.rows, cols: logits.cols }];
  },
  reference([logits, targets, g, weights], [dx], { factor }) {
    for (let i = 0; i < dx.data.length; i++) {
      const slope = 1 / (1 + Math.exp(-logits.data[i])) - targets.data[i];
      dx.data[i] = factor * g.data[0] * weightOf(weights, i, logits.cols) * slope;
    }
  },
  gradient: "second derivatives are not used",
  encode,
  partition: rowLocal(),
});

/**
 * Mean binary cross-entropy: [m, n], [m, n] → [1, 1]; with `factor`, factor times the sum. Weights [m, 1] multiply the terms of
 * their rows.
 */
export function bceLogits(
  logits: Tensor,
  targets: Tensor,
  factor = 1 / (logits.rows * logits.cols),
  weights?: Tensor,
): Tensor {
  const inputs = weights === undefined ? [logits, targets] : [logits, targets, weights];
  return logits.builder.apply(bceLogitsOp, inputs, { factor, weighted: weights !== undefined })[0];
}
