/** The optimisers that a model can choose, each with the op that takes one step. */

import { adam, rmsprop, sgd } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import type { Optimization } from "../nn/model.js";

/** Adam's decay rates of both moments, and its ε; the values of the paper (Kingma and Ba 2015, arXiv:1412.6980). */
export const BETA1 = 0.9;
export const BETA2 = 0.999;
const ADAM_EPSILON = 1e-8;
/** RMSprop with the defaults of TensorFlow, which the published CrossMNA code uses. */
const RMSPROP_DECAY = 0.9;
const RMSPROP_EPSILON = 1e-10;

/** State of the optimiser with the shape of a parameter, kept from step to step. */
export interface Slot {
  readonly name: string;
  readonly tensor: Tensor;
}

export interface StepTensors {
  readonly parameter: Tensor;
  readonly gradient: Tensor;
  /** In the order of `Optimizer.slots`. */
  readonly slots: readonly Tensor[];
  /** Receives a copy of the parameter if the flag is 1, a new smallest loss. */
  readonly best?: Tensor;
  readonly flag: Tensor;
  /** Learning rate, and Adam's bias corrections for this step. */
  readonly schedule: Tensor;
}

export interface Optimizer {
  readonly slots: readonly string[];
  step(tensors: StepTensors): void;
}

export function makeOptimizer(name: NonNullable<Optimization["optimizer"]>, weightDecay: number): Optimizer {
  switch (name) {
    case "adam":
      return {
        slots: ["moment1", "moment2"],
        step({ slots: [moment1, moment2], ...tensors }) {
          const attributes = { beta1: BETA1, beta2: BETA2, epsilon: ADAM_EPSILON, weightDecay };
          adam({ ...tensors, moment1, moment2 }, attributes);
        },
      };
    case "rmsprop":
      return {
        slots: ["meanSquare"],
        step({ slots: [meanSquare], ...tensors }) {
          rmsprop({ ...tensors, meanSquare }, { decay: RMSPROP_DECAY, epsilon: RMSPROP_EPSILON, weightDecay });
        },
      };
    case "sgd":
      return { slots: [], step: ({ slots: _, ...tensors }) => sgd(tensors, { momentum: 0, weightDecay }) };
  }
}
