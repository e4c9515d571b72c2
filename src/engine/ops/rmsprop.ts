/**
 * One RMSProp step (Tieleman and Hinton 2012) with L2 added to the gradient, and the copy of the best parameters.
 *
 *   g ← g + λ·p;  v ← ρ·v + (1−ρ)·g²;  p ← p − lr·g / √(v + ε)
 *
 * ε is under the root, as in TensorFlow. Inputs: p, g, v, flag [1, 1], schedule [1, ≥ 1] = (lr, …), and best if it is kept.
 * Flag 1: `best` takes the parameters before the step. Flag below 0: nothing changes.
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

export interface RmspropAttributes {
  /** ρ, the weight of the old mean square. */
  readonly decay: number;
  readonly epsilon: number;
  readonly weightDecay: number;
}

interface Attributes extends RmspropAttributes {
  readonly keepsBest: boolean;
}

export const rmspropOp = defineOp<Attributes>({
  name: "rmsprop",
  mutates: [0, 2, 5],
  outputs(inputs) {
    const [p, g, v, flag, schedule, best = p] = inputs;
    const same = [g, v, best].every((other) => other.rows === p.rows && other.cols === p.cols);
    requireShape(same && flag.rows * flag.cols === 1 && schedule.cols >= 1, "rmsprop", inputs);
    return [];
  },
  reference([p, g, v, flag, schedule, best], _, { decay, epsilon, weightDecay, keepsBest }) {
    if (flag.data[0] < 0) return;
    if (keepsBest && flag.data[0] > 0) best.data.set(p.data);
    for (let i = 0; i < p.data.length; i++) {
      const gradient = g.data[i] + weightDecay * p.data[i];
      v.data[i] = decay * v.data[i] + (1 - decay) * gradient * gradient;
      p.data[i] -= (schedule.data[0] * gradient) / Math.sqrt(v.data[i] + epsilon);
    }
  },
  gradient: "it is the end of a step",
  encode: ({ decay, epsilon, weightDecay, keepsBest }) => [
    { float: decay },
    { float: 1 - decay },
    { float: epsilon },
    { float: weightDecay },
    { int: keepsBest ? 1 : 0 },
  ],
  partition: rowLocal(),
});

export interface RmspropTensors {
  readonly parameter: Tensor;
  readonly gradient: Tensor;
  readonly meanSquare: Tensor;
  readonly flag: Tensor;
  readonly schedule: Tensor;
  /** Storage of the best parameters; without it they are not kept. */
  readonly best?: Tensor;
}

export function rmsprop(tensors: RmspropTensors, attributes: RmspropAttributes): void {
  const { parameter, gradient, meanSquare, flag, schedule, best } = tensors;
  const inputs = [parameter, gradient, meanSquare, flag, schedule];
  const keepsBest = best !== undefined;
  parameter.builder.apply(rmspropOp, keepsBest ? [...inputs, best] : inputs, { ...attributes, keepsBest });
}
