/** Settings of a run that do not depend on the model. */

import type { StopSignal } from "../core/validation.js";
import type { VectorView } from "../nn/model.js";

export interface RunSettings {
  readonly seed: number;
  readonly epochs: number;
  readonly patience: number;
  readonly learningRate: number;
  /** The learning rate falls linearly over all steps to this share of its initial value. */
  readonly finalRate: number;
  readonly signal?: StopSignal;
  /** Whether a snapshot of another engine is accepted. */
  readonly allowOtherEngine?: boolean;
  readonly onEpoch?: (report: EpochReport) => void;
  /** Time and largest engine memory of the preparation. */
  readonly preparation: { readonly seconds: number; readonly peakBytes: number };
  /** Groups of columns of the vectors, if the model names them. */
  readonly views: readonly VectorView[];
  /** Facts about the graph that the preparation found. */
  readonly findings: readonly string[];
}

/** Why a run ended: no new smallest loss for `patience` epochs, no epochs left, or the signal. */
export type StopReason = "patience" | "epochs" | "aborted";

/** Result of one epoch. */
export interface EpochReport {
  /** Epochs done, from 1. */
  readonly epoch: number;
  readonly loss: number;
  /** Loss of the parameters that are kept: the smallest loss, or the last one if the model keeps its last parameters. */
  readonly bestLoss: number;
  readonly bestEpoch: number;
  readonly seconds: number;
}
