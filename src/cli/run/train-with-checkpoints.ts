/** Drives a run to its end, saving its state every so often. */

import { explainWriteError } from "../../io/system-faults.js";
import type { Run } from "../../train/run.js";
import type { Progress } from "../terminal/progress.js";
import { writeCheckpoint } from "./checkpoint.js";

/** Seconds between two checkpoints at least, and this many times as long as writing one takes. */
export const MIN_SECONDS = 5;
export const WRITE_SHARE = 20;

export interface CheckpointSettings {
  readonly out: string;
  /** When the run was first started. */
  readonly started: string;
  /** Seconds between two checkpoints, if they are given. */
  readonly every?: number;
  /** SHA-256 of the file of a model of one's own. */
  readonly modelFile?: string;
  /** Keep the state after the last epoch too, so that more epochs can follow. */
  readonly keepLast: boolean;
  readonly note: (text: string) => void;
}

/** Returns the seconds of each epoch. A run that was stopped, or whose last epoch is kept, leaves a checkpoint of it. */
export async function trainWithCheckpoints(
  run: Run,
  settings: CheckpointSettings,
  progress: Progress,
): Promise<number[]> {
  const { out, started, every, modelFile, keepLast, note } = settings;
  const seconds: number[] = [];
  let last = performance.now();
  let writeSeconds = 0;
  let failed = false;
  const save = async () => {
    const begin = performance.now();
    try {
      await writeCheckpoint(out, { snapshot: run.snapshot(), started, modelFile });
    } catch (error) {
      // the training is worth more than its checkpoint
      if (!failed)
        note(`note: no checkpoint could be written: ${String(explainWriteError(error, out)).replace(/^\w+: /, "")}`);
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
      if ((performance.now() - last) / 1000 >= wait) await save();
    }
  } finally {
    progress.end();
  }
  const goesOn = run.stopReason === "aborted" || (keepLast && run.stopReason === "epochs");
  if (goesOn && run.numEpochs > 0) await save();
  return seconds;
}
