/** How a run trains, whatever the model. */

import type { VectorView } from "../nn/model.js";

export interface RunSettings {
  readonly seed: number;
  readonly epochs: number;
  readonly patience: number;
  readonly learningRate: number;
  /** The learning rate falls linearly over all steps to this share of itself. */
  readonly finalRate: number;
  readonly signal?: AbortSignal;
  readonly onEpoch?: (report: EpochReport) => void;
  /** What the work before the first epoch took. */
  readonly ahead: { readonly seconds: number; readonly peakBytes: number };
  /** What the columns of the vectors hold, if the model tells them apart. */
  readonly views: readonly VectorView[];
  /** What was found out about the graph before training. */
  readonly findings: readonly string[];
}

/** Why a run ended: no smaller loss for long enough, no epochs left, or the signal. */
export type StopReason = "patience" | "epochs" | "aborted";

/** What is told of an epoch. */
export interface EpochReport {
  /** Epochs done, from 1. */
  readonly epoch: number;
  readonly loss: number;
  /** Of the parameters that are kept: those of the smallest loss or, for models that say so, the last ones. */
  readonly bestLoss: number;
  readonly bestEpoch: number;
  readonly seconds: number;
}
