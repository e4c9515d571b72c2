/** Everything a run needs to go on as if it had never stopped. */

import { InputError } from "../core/errors.js";

/** What must be equal for a snapshot to fit a run. */
export interface RunIdentity {
  readonly version: string;
  readonly model: string;
  readonly options: string;
  readonly optimizer: string;
  readonly seed: string;
  readonly graph: string;
  /** Of the labels that are learnt from; `none` without. */
  readonly labels: string;
  readonly kernels: string;
}

/** How far a run is. */
export interface RunProgress {
  /** Epochs done. */
  readonly epoch: number;
  readonly losses: readonly number[];
  readonly bestEpoch: number;
  /** Epochs since the best. */
  readonly sinceBest: number;
  /** Seconds trained so far. */
  readonly seconds: number;
}

/** A matrix that a run changes. */
export interface SnapshotTensor {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly data: Float32Array | Float64Array;
}

/** All that a run goes on from: `run.snapshot()` gives it, `resume` takes it. */
export interface Snapshot {
  readonly identity: RunIdentity;
  readonly progress: RunProgress;
  readonly tensors: readonly SnapshotTensor[];
}

const WORDS: Record<keyof RunIdentity, string> = {
  version: "another version of hmge",
  model: "another model",
  options: "other model options",
  optimizer: "another learning rate, weight decay or number of epochs",
  seed: "another seed",
  graph: "another graph",
  labels: "other training labels",
  kernels: "other kernels",
};

export const IDENTITY_KEYS = Object.keys(WORDS) as readonly (keyof RunIdentity)[];

function isProgress(progress: RunProgress): boolean {
  const { losses, bestEpoch, sinceBest, seconds } = progress ?? {};
  const counts = [bestEpoch, sinceBest].every((count) => Number.isInteger(count) && count >= 0);
  const numbers = Array.isArray(losses) && losses.every((loss) => typeof loss === "number");
  return counts && numbers && bestEpoch <= losses.length && Number.isFinite(seconds);
}

const EPOCHS = / epochs=(\d+)$/;

/** How an optimiser is described. Where the rate falls until the last epoch, the number of epochs is part of every step. */
export function describeOptimizer(
  { learningRate, weightDecay, epochs }: { learningRate: number; weightDecay: number; epochs: number },
  finalRate: number,
): string {
  return `learningRate=${learningRate} weightDecay=${weightDecay}${finalRate === 1 ? "" : ` epochs=${epochs}`}`;
}

/** Throws InputError where two optimisers differ in the number of epochs alone. */
function requireSameSchedule(found: string, expected: string): void {
  const [before, now] = [EPOCHS.exec(found)?.[1], EPOCHS.exec(expected)?.[1]];
  if (before === undefined || now === undefined || found.replace(EPOCHS, "") !== expected.replace(EPOCHS, "")) return;
  throw new InputError(
    `checkpoint: made for ${before} epochs, this run is for ${now}; the learning rate of this model falls until the last epoch, so every step depends on their number. Go on with ${before} epochs, or start anew with ${now} (--overwrite instead of --resume).`,
  );
}

/** Throws InputError when the snapshot is of another run, saying in what it differs. */
export function requireSameRun(snapshot: Snapshot, expected: RunIdentity): void {
  const { identity: found, tensors, progress } = snapshot ?? {};
  const named = Array.isArray(tensors) && tensors.every((tensor) => ArrayBuffer.isView(tensor?.data));
  if (typeof found !== "object" || found === null || !named || !isProgress(progress)) {
    throw new InputError("checkpoint: no snapshot; expected what run.snapshot() returned.");
  }
  for (const key of IDENTITY_KEYS) {
    if (found[key] === expected[key]) continue;
    if (key === "optimizer") requireSameSchedule(found[key], expected[key]);
    throw new InputError(
      `checkpoint: made with ${WORDS[key]} (${found[key]}; this run has ${expected[key]}). Repeat what made it, or start anew in another folder.`,
    );
  }
}
