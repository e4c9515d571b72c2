/** Everything a run needs to continue as if it had never stopped. */

import { InputError } from "../core/errors.js";
import type { FloatArray } from "../engine/engine.js";

/** Properties that must be equal for a snapshot to fit a run. */
export interface RunIdentity {
  readonly version: string;
  readonly model: string;
  readonly options: string;
  readonly optimizer: string;
  readonly seed: string;
  readonly graph: string;
  /** Hash of the training labels; `none` without labels. */
  readonly labels: string;
  readonly kernels: string;
}

/** Progress of a run. */
export interface RunProgress {
  /** Epochs done. */
  readonly epoch: number;
  readonly losses: readonly number[];
  readonly bestEpoch: number;
  /** Epochs since the smallest loss. */
  readonly sinceBest: number;
  /** Seconds trained so far. */
  readonly seconds: number;
}

/** One matrix of a snapshot. */
export interface SnapshotTensor {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly data: FloatArray;
}

/** State of a run: `run.snapshot()` returns it, the setting `resume` continues from it. */
export interface Snapshot {
  readonly identity: RunIdentity;
  readonly progress: RunProgress;
  readonly tensors: readonly SnapshotTensor[];
}

/** A matrix that is read in slices of rows. */
export interface TableRows {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  /** A copy of the rows from `first` up to `end`, in `into` if that has room and fits. */
  range(first: number, end: number, into?: FloatArray): Promise<FloatArray>;
}

/** A snapshot whose tensors are read in slices; valid until the next epoch. */
export interface SnapshotRows extends Pick<Snapshot, "identity" | "progress"> {
  readonly tables: readonly TableRows[];
}

/** A matrix of a stored snapshot. On several ranks only rank 0 reads it; the others receive their rows from it. */
export interface StoredTable extends Pick<TableRows, "name" | "rows" | "cols"> {
  /** The rows from `first` up to `end`. */
  range?(first: number, end: number): FloatArray;
}

/** A stored snapshot that is read in slices. */
export interface StoredSnapshot extends Pick<Snapshot, "identity" | "progress"> {
  readonly tables: readonly StoredTable[];
}

const DIFFERENCES: Record<keyof RunIdentity, string> = {
  version: "another version of hmge",
  model: "another model",
  options: "other model options",
  optimizer: "another learning rate, weight decay or number of epochs",
  seed: "another seed",
  graph: "another graph",
  labels: "other training labels",
  kernels: "other kernels",
};

export const IDENTITY_KEYS = Object.keys(DIFFERENCES) as readonly (keyof RunIdentity)[];

function isProgress(progress: RunProgress): boolean {
  const { losses, bestEpoch, sinceBest, seconds } = progress ?? {};
  const counts = [bestEpoch, sinceBest].every((count) => Number.isInteger(count) && count >= 0);
  const numbers = Array.isArray(losses) && losses.every((loss) => typeof loss === "number");
  return counts && numbers && bestEpoch <= losses.length && Number.isFinite(seconds);
}

const EPOCHS = / epochs=(\d+)$/;

/** Text that identifies the optimiser. It names the number of epochs if the learning rate falls until the last epoch. */
export function describeOptimizer(
  { learningRate, weightDecay, epochs }: { learningRate: number; weightDecay: number; epochs: number },
  finalRate: number,
): string {
  return `learningRate=${learningRate} weightDecay=${weightDecay}${finalRate === 1 ? "" : ` epochs=${epochs}`}`;
}

/** Throws InputError if two optimisers differ only in the number of epochs. */
function requireSameSchedule(found: string, expected: string): void {
  const [before, now] = [EPOCHS.exec(found)?.[1], EPOCHS.exec(expected)?.[1]];
  if (before === undefined || now === undefined || found.replace(EPOCHS, "") !== expected.replace(EPOCHS, "")) return;
  throw new InputError(
    `checkpoint: made for ${before} epochs, this run is for ${now}; the learning rate of this model falls until the last epoch, so every step depends on the number of epochs. Continue with ${before} epochs, or start again with ${now} (--overwrite instead of --resume).`,
  );
}

function hasData(tensor: SnapshotTensor): boolean {
  return ArrayBuffer.isView(tensor?.data);
}

function isStored(snapshot: Snapshot | StoredSnapshot): snapshot is StoredSnapshot {
  return Array.isArray(Reflect.get(Object(snapshot), "tables"));
}

/** The tables of a snapshot by name. */
export function tablesOf(snapshot: Snapshot | StoredSnapshot): Map<string, StoredTable> {
  const tables = isStored(snapshot) ? snapshot.tables : snapshot.tensors.map(tableOf);
  return new Map(tables.map((table) => [table.name, table]));
}

function tableOf({ name, rows, cols, data }: SnapshotTensor): StoredTable {
  // a shape that does not fit the data is refused with the shapes of other runs
  if (data.length !== rows * cols) return { name, rows: 0, cols: 0 };
  return { name, rows, cols, range: (first, end) => data.subarray(first * cols, end * cols) };
}

/** Throws InputError if the snapshot belongs to another run; the message names the difference. `anyEngine`: kernels may differ. */
export function requireSameRun(
  snapshot: Snapshot | StoredSnapshot,
  expected: RunIdentity,
  { anyEngine = false }: { readonly anyEngine?: boolean } = {},
): void {
  const { identity: found, progress } = snapshot ?? {};
  const hasTensors = isStored(snapshot) || (Array.isArray(snapshot?.tensors) && snapshot.tensors.every(hasData));
  if (typeof found !== "object" || found === null || !hasTensors || !isProgress(progress)) {
    throw new InputError("checkpoint: the value is not a snapshot; expected a result of run.snapshot().");
  }
  for (const key of IDENTITY_KEYS) {
    if (found[key] === expected[key] || (key === "kernels" && anyEngine)) continue;
    if (key === "kernels") {
      throw new InputError(
        `checkpoint: made with the engine ${found.kernels}, this run has ${expected.kernels}. Choose that engine (--engine), or add --allow-other-engine: the vectors then differ from those of an unbroken run.`,
      );
    }
    if (key === "optimizer") requireSameSchedule(found[key], expected[key]);
    throw new InputError(
      `checkpoint: made with ${DIFFERENCES[key]} (${found[key]}; this run has ${expected[key]}). Run the command that made it, or start again in another folder.`,
    );
  }
}
