/**
 * One step of gradient descent with momentum and a gain per coordinate (Jacobs 1988), as usual for t-SNE:
 *
 *   gain ← gain + 0.2 where gradient and velocity have opposite signs, otherwise 0.8·gain; at least 0.01
 *   v ← momentum·v − rate·gain·g;   y ← y + v;   y ← y − mean of y
 *
 * Inputs: y, velocity, gains, gradient [n, 2], schedule [1, 2] = (momentum, rate). The gains start at 1.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";

/** Lower bound of a gain, as in the formula. */
const MIN_GAIN = 0.01;

export const tsneUpdateOp = defineOp<null>({
  name: "tsneUpdate",
  mutates: [0, 1, 2],
  outputs(inputs) {
    const [y, velocity, gains, gradient, schedule] = inputs;
    const same = [velocity, gains, gradient].every((other) => other.rows === y.rows && other.cols === y.cols);
    requireShape(same && y.cols === 2 && schedule.rows * schedule.cols === 2, "tsneUpdate", inputs);
    return [];
  },
  reference([y, velocity, gains, gradient, schedule]) {
    const [momentum, rate] = schedule.data;
    const mean = [0, 0];
    for (let i = 0; i < y.data.length; i++) {
      const g = gradient.data[i];
      const v = velocity.data[i];
      const opposed = (g > 0 && v < 0) || (g < 0 && v > 0);
      gains.data[i] = Math.max(opposed ? gains.data[i] + 0.2 : gains.data[i] * 0.8, MIN_GAIN);
      velocity.data[i] = momentum * v - rate * gains.data[i] * g;
      y.data[i] += velocity.data[i];
      mean[i % 2] += y.data[i] / y.rows;
    }
    for (let i = 0; i < y.data.length; i++) y.data[i] -= mean[i % 2];
  },
  gradient: "it is the end of a step",
});

export interface TsneState {
  readonly y: Tensor;
  readonly velocity: Tensor;
  readonly gains: Tensor;
}

/** Moves the points `y` [n, 2]. */
export function tsneUpdate({ y, velocity, gains }: TsneState, gradient: Tensor, schedule: Tensor): void {
  y.builder.apply(tsneUpdateOp, [y, velocity, gains, gradient, schedule], null);
}
