/**
 * One step of gradient descent with L2 added to the gradient, with or without momentum, and the copy of the best parameters.
 *
 *   g ← g + λ·p;  with momentum u ← μ·u + g, p ← p − lr·u;  without p ← p − lr·g
 *
 * Inputs: p, g, flag [1, 1], schedule [1, ≥ 1] = (lr, …), then u if there is momentum, then best if it is kept.
 * Flag 1: `best` takes the parameters before the step. Flag below 0: nothing changes.
 */

import { InternalError } from "../../core/errors.js";
import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

export interface SgdAttributes {
  /** μ; 0 means no momentum. */
  readonly momentum: number;
  readonly weightDecay: number;
}

interface Attributes extends SgdAttributes {
  readonly keepsBest: boolean;
}

export const sgdOp = defineOp<Attributes>({
  name: "sgd",
  mutates: [0, 4, 5],
  outputs(inputs) {
    const [p, g, flag, schedule, ...kept] = inputs;
    const same = [g, ...kept].every((other) => other.rows === p.rows && other.cols === p.cols);
    requireShape(same && flag.rows * flag.cols === 1 && schedule.cols >= 1, "sgd", inputs);
    return [];
  },
  reference([p, g, flag, schedule, ...kept], _, { momentum, weightDecay, keepsBest }) {
    if (flag.data[0] < 0) return;
    if (keepsBest && flag.data[0] > 0) kept[kept.length - 1].data.set(p.data);
    for (let i = 0; i < p.data.length; i++) {
      let step = g.data[i] + weightDecay * p.data[i];
      if (momentum !== 0) step = kept[0].data[i] = momentum * kept[0].data[i] + step;
      p.data[i] -= schedule.data[0] * step;
    }
  },
  gradient: "it is the end of a step",
  encode: ({ momentum, weightDecay, keepsBest }) => [
    { float: momentum },
    { float: weightDecay },
    { int: keepsBest ? 1 : 0 },
  ],
  partition: rowLocal(),
});

export interface SgdTensors {
  readonly parameter: Tensor;
  readonly gradient: Tensor;
  readonly flag: Tensor;
  readonly schedule: Tensor;
  /** u; present if and only if momentum is not 0. */
  readonly moment?: Tensor;
  /** Storage of the best parameters; without it they are not kept. */
  readonly best?: Tensor;
}

export function sgd(tensors: SgdTensors, attributes: SgdAttributes): void {
  const { parameter, gradient, flag, schedule, moment, best } = tensors;
  if ((moment !== undefined) !== (attributes.momentum !== 0))
    throw new InternalError("sgd: momentum and its tensor must come together");
  const inputs = [parameter, gradient, flag, schedule, moment, best].filter((tensor) => tensor !== undefined);
  parameter.builder.apply(sgdOp, inputs, { ...attributes, keepsBest: best !== undefined });
}
