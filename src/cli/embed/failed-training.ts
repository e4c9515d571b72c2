/** What a training leaves behind when it fails. */

import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import { InputError, isUserError, UnsupportedError } from "../../core/errors.js";
import type { FolderState } from "../folder/output-folder.js";
import type { Job } from "../ranks/job.js";
import { CHECKPOINT, hasCheckpoint, removeCheckpoint } from "../run/checkpoint.js";

/**
 * Rethrows the error of a training. After an error of the user its checkpoint is removed, and the folder if the training created it.
 * If the engine failed, the checkpoint stays.
 */
export async function failTraining(
  error: unknown,
  out: string,
  { exists, checkpoint }: FolderState,
  job: Job,
): Promise<never> {
  if (!isUserError(error) || !job.leads) throw error;
  if (error instanceof InputError && !checkpoint) await removeCheckpoint(out);
  if (!exists) await rmdir(out).catch(() => {}); // fails unless the folder is empty
  return explainLostEngine(error, out);
}

/** Rethrows an error; if the engine failed, such as a GPU that was lost, the message names the checkpoint. */
export async function explainLostEngine(error: unknown, out: string): Promise<never> {
  if (!(error instanceof UnsupportedError && (await hasCheckpoint(out)))) throw error;
  throw new UnsupportedError(
    `${error.message} The training is saved in ${join(out, CHECKPOINT)}; repeat the command with --resume to continue.`,
  );
}
