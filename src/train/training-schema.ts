/** Settings that every training has, as data; checks, flags and help derive from them. */

import { int, number } from "../core/options.js";
import type { Model } from "../nn/model.js";

export function trainingSchema(defaults: Model["training"]) {
  return {
    seed: int(1, { min: 0, max: Number.MAX_SAFE_INTEGER, doc: "random seed" }),
    epochs: int(defaults.epochs, { min: 1, doc: "maximum number of epochs" }),
    patience: int(defaults.patience, { min: 1, doc: "stop after this many epochs without a new smallest loss" }),
    learningRate: number(defaults.learningRate, { min: 0, doc: "step size of the optimiser" }),
    weightDecay: number(defaults.weightDecay, { min: 0, doc: "L2 penalty added to the gradient" }),
  };
}
