/**
 * Cross-entropy of the softmax of each row of logits ℓ against targets t, summed and multiplied by a constant:
 * s·Σ_i Σ_k t_ik·(log Σ_j exp(ℓ_ij) − ℓ_ik), computed relative to the largest logit, so that nothing overflows.
 *
 * Gradient: s·g·(softmax(ℓ_i)·Σ_k t_ik − t_i). Targets have none.
 */

import { chunkRows } from "../partition/chunks.js";
import { sumOverRows } from "../partition/reduce-rule.js";
import { rowLocal } from "../partition/row-rules.js";
import { defineOp, type HostTensor, requireShape, type Tensor } from "../program.js";

interface Attributes {
  readonly factor: number;
}

const encode = ({ factor }: Attributes) => [{ float: factor }];

/** log Σ_j exp(ℓ_ij) of row i. */
function logSumExp({ data, cols }: HostTensor, i: number): number {
  let largest = -Infinity;
  for (let k = 0; k < cols; k++) largest = Math.max(largest, data[i * cols + k]);
  let sum = 0;
  for (let k = 0; k < cols; k++) sum += Math.exp(data[i * cols + k] - largest);
  return largest + Math.log(sum);
}

export const softmaxCrossEntropyOp = defineOp<Attributes>({
  name: "softmaxCrossEntropy",
  outputs([logits, targets]) {
    const fits = logits.rows === targets.rows && logits.cols === targets.cols;
    requireShape(fits, "softmaxCrossEntropy", [logits, targets]);
    return [{ rows: 1, cols: 1 }];
  },
  reference([logits, targets], [y], { factor }) {
    let sum = 0;
    for (let i = 0; i < logits.rows; i++) {
      const whole = logSumExp(logits, i);
      for (let k = 0; k < logits.cols; k++) {
        const entry = i * logits.cols + k;
        sum += targets.data[entry] * (whole - logits.data[entry]);
      }
    }
    y.data[0] = factor * sum;
  },
  gradient({ inputs: [logits, targets], gradients: [g], attributes }) {
    if (g === undefined) return [undefined];
    return [g.builder.apply(softmaxCrossEntropyGradientOp, [logits, targets, g], attributes)[0]];
  },
  encode,
  partition: sumOverRows({ chunkRows: ([logits]) => chunkRows(logits.rows), partBytes: () => 8 }),
});

export const softmaxCrossEntropyGradientOp = defineOp<Attributes>({
  name: "softmaxCrossEntropyGradient",
  inPlace: 0,
  outputs([logits, targets, g]) {
    requireShape(g.rows === 1 && g.cols === 1, "softmaxCrossEntropyGradient", [logits, targets, g]);
    return [{ rows: logits.rows, cols: logits.cols }];
  },
  reference([logits, targets, g], [dx], { factor }) {
    const { cols } = logits;
    for (let i = 0; i < logits.rows; i++) {
      const whole = logSumExp(logits, i);
      let total = 0;
      for (let k = 0; k < cols; k++) total += targets.data[i * cols + k];
      for (let k = 0; k < cols; k++) {
        const entry = i * cols + k;
        dx.data[entry] = factor * g.data[0] * (total * Math.exp(logits.data[entry] - whole) - targets.data[entry]);
      }
    }
  },
  gradient: "second derivatives are not used",
  encode,
  partition: rowLocal(),
});

/** Mean over the rows: [m, n], [m, n] → [1, 1]; with `factor`, factor times the sum. */
export function softmaxCrossEntropy(logits: Tensor, targets: Tensor, factor = 1 / logits.rows): Tensor {
  return logits.builder.apply(softmaxCrossEntropyOp, [logits, targets], { factor })[0];
}
