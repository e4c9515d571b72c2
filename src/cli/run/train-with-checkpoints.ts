/** Trains a run to its end and saves its state regularly. */

import { UnsupportedError } from "../../core/errors.js";
import { explainWriteError } from "../../io/system-faults.js";
import type { Run } from "../../train/run.js";
import type { Job } from "../ranks/job.js";
import type { Progress } from "../terminal/progress.js";
import { writeCheckpoint } from "./checkpoint.js";

/** Minimum time between two checkpoints: in seconds, and as a multiple of the time of writing one. */
export const MIN_SECONDS = 5;
export const WRITE_SHARE = 20;

export interface CheckpointSettings {
  readonly out: string;
  /** When the run was first started. */
  readonly started: string;
  /** Seconds between two checkpoints; default: see MIN_SECONDS. */
  readonly every?: number;
  /** SHA-256 of the file of the user's own model. */
  readonly modelFile?: string;
  /** Kernels of other engines that trained earlier epochs. */
  readonly earlierKernels?: readonly string[];
  /** Keep the state after the last epoch too, so that more epochs can follow. */
  readonly keepLast: boolean;
  readonly job: Job;
  /** Lets the leading process work alone; the other ranks send it their rows. */
  readonly lead: Lead;
}

/** All processes call it; the leading one does `work`. */
export type Lead = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/** Returns the seconds of each epoch. A stopped run leaves a checkpoint; so does a finished one with `keepLast`. */
export async function trainWithCheckpoints(
  run: Run,
  settings: CheckpointSettings,
  progress: Progress,
): Promise<number[]> {
  const { out, started, every, modelFile, earlierKernels, keepLast, job, lead } = settings;
  const seconds: number[] = [];
  let last = performance.now();
  let writeSeconds = 0;
  let failed = false;
  const save = async () => {
    const begin = performance.now();
    try {
      await lead(() => writeCheckpoint(out, { snapshot: run.snapshotTables(), started, modelFile, earlierKernels }));
    } catch (error) {
      // the state could not be read, such as from a GPU that was lost
      if (error instanceof UnsupportedError) throw error;
      // a run continues without checkpoints
      if (!failed)
        job.output.note(
          `note: the checkpoint could not be written: ${String(explainWriteError(error, out)).replace(/^\w+: /, "")}`,
        );
      failed = true;
    }
    last = performance.now();
    writeSeconds = (last - begin) / 1000;
  };
  try {
    for await (const report of run) {
      seconds.push(report.seconds);
      progress.update(report);
      const wait = every ?? Math.max(MIN_SECONDS, WRITE_SHARE * writeSeconds);
      if (await job.share(() => (performance.now() - last) / 1000 >= wait)) await save();
    }
  } finally {
    progress.end();
  }
  const keepCheckpoint = run.stopReason === "aborted" || (keepLast && run.stopReason === "epochs");
  if (keepCheckpoint && run.numEpochs > 0) await save();
  return seconds;
}
