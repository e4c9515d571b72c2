/**
 * One Adam step (Kingma and Ba 2015) with L2 added to the gradient, and the copy of the best parameters, in one pass.
 *
 *   g ← g + λ·p;  m ← β1·m + (1−β1)·g;  v ← β2·v + (1−β2)·g²;  p ← p − lr·(m/c1) / (√(v/c2) + ε)
 *
 * Inputs: p, g, m, v, flag [1, 1], schedule [1, 3] = (lr, c1 = 1−β1^t, c2 = 1−β2^t), and best if it is kept.
 * Flag 1: `best` takes the parameters before the step. Flag below 0: nothing changes.
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

export interface AdamAttributes {
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
}

interface Attributes extends AdamAttributes {
  readonly keepsBest: boolean;
}

export const adamOp = defineOp<Attributes>({
  name: "adam",
  mutates: [0, 2, 3, 6],
  outputs(inputs) {
    const [p, g, m, v, flag, schedule, best = p] = inputs;
    const same = [g, m, v, best].every((other) => other.rows === p.rows && other.cols === p.cols);
    requireShape(same && flag.rows * flag.cols === 1 && schedule.cols === 3, "adam", inputs);
    return [];
  },
  reference([p, g, m, v, flag, schedule, best], _, { beta1, beta2, epsilon, weightDecay, keepsBest }) {
    if (flag.data[0] < 0) return;
    if (keepsBest && flag.data[0] > 0) best.data.set(p.data);
    const [rate, correction1, correction2] = schedule.data;
    for (let i = 0; i < p.data.length; i++) {
      const gradient = g.data[i] + weightDecay * p.data[i];
      m.data[i] = beta1 * m.data[i] + (1 - beta1) * gradient;
      v.data[i] = beta2 * v.data[i] + (1 - beta2) * gradient * gradient;
      p.data[i] -= (rate * (m.data[i] / correction1)) / (Math.sqrt(v.data[i] / correction2) + epsilon);
    }
  },
  gradient: "it is the end of a step",
  encode: ({ beta1, beta2, epsilon, weightDecay, keepsBest }) => [
    { float: beta1 },
    // 1 − β is rounded once: computed in float32 it would be off by 1e-5
    { float: 1 - beta1 },
    { float: beta2 },
    { float: 1 - beta2 },
    { float: epsilon },
    { float: weightDecay },
    { int: keepsBest ? 1 : 0 },
  ],
  partition: rowLocal(),
});

export interface AdamTensors {
  readonly parameter: Tensor;
  readonly gradient: Tensor;
  readonly moment1: Tensor;
  readonly moment2: Tensor;
  readonly flag: Tensor;
  readonly schedule: Tensor;
  /** Storage of the best parameters; without it they are not kept. */
  readonly best?: Tensor;
}

export function adam(tensors: AdamTensors, attributes: AdamAttributes): void {
  const { parameter, gradient, moment1, moment2, flag, schedule, best } = tensors;
  const inputs = [parameter, gradient, moment1, moment2, flag, schedule];
  const keepsBest = best !== undefined;
  parameter.builder.apply(adamOp, keepsBest ? [...inputs, best] : inputs, { ...attributes, keepsBest });
}
