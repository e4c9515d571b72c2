/** The optimisers a model can ask for, each as the op that takes one step. */

import { adam, rmsprop, sgd } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import type { Optimization } from "../nn/model.js";

export const BETA1 = 0.9;
export const BETA2 = 0.999;
const ADAM_EPSILON = 1e-8;
/** TensorFlow's defaults, with which CrossMNA was published. */
const RMSPROP_DECAY = 0.9;
const RMSPROP_EPSILON = 1e-10;

/** Storage of the shape of a parameter that lasts from step to step. */
export interface Slot {
  readonly name: string;
  readonly tensor: Tensor;
}

export interface StepTensors {
  readonly parameter: Tensor;
  readonly gradient: Tensor;
  /** In the order of `Optimizer.slots`. */
  readonly slots: readonly Tensor[];
  /** Takes a copy of the parameter when the flag says that its loss was the smallest. */
  readonly best?: Tensor;
  readonly flag: Tensor;
  /** Learning rate, and Adam's corrections of the step. */
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
