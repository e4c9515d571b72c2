/** `hmge embed --resume`: finds the state to continue from, and checks that it belongs to the same run. */

import { basename } from "node:path";
import { InputError } from "../../core/errors.js";
import type { RunRecord } from "../../core/record.js";
import { recordedName } from "../../io/spool.js";
import { flagName } from "../command.js";
import type { EarlierRun, FolderState } from "../folder/output-folder.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";
import type { Job } from "../ranks/job.js";
import type { Output } from "../terminal/output.js";
import { type Checkpoint, readCheckpoint, withoutRows } from "./checkpoint.js";

/** All settings that determine the vectors, by name. */
export type Settings = Readonly<Record<string, unknown>>;

/** The checkpoint to continue from; "finished" if the run is complete; undefined if the run must start from the beginning. */
export async function findResumePoint(
  out: string,
  { earlier, checkpoint }: FolderState,
  { requested, constantRate }: { readonly requested: Settings; readonly constantRate: boolean },
  output: Output,
): Promise<Checkpoint | "finished" | undefined> {
  const saved = checkpoint ? await readCheckpoint(out) : undefined;
  // a checkpoint with another start time belongs to a run that was replacing the finished one
  const current = saved === undefined || saved.started === earlier?.started;
  if (earlier !== undefined && earlier.stopReason !== "aborted" && current) {
    const longer = saved !== undefined && constantRate && wantsMoreEpochs(earlier, requested);
    return longer ? saved : "finished";
  }
  if (saved === undefined) output.note(`${out}: nothing to resume; starting from the beginning`);
  return saved;
}

/** The result of `find` in all processes; only the leading one finds it and can read the rows of a checkpoint. */
export async function shareResumePoint(
  job: Pick<Job, "share">,
  find: () => ReturnType<typeof findResumePoint>,
): ReturnType<typeof findResumePoint> {
  let own: Awaited<ReturnType<typeof find>>;
  const shared = await job.share(async () => {
    own = await find();
    return typeof own === "object" ? withoutRows(own) : own;
  });
  return own ?? shared;
}

/** Options that name files. */
const FILES = ["sources", "features", "nodes", "train-labels"];

/** The settings that identify the graph and the training; files by name only, since their folders depend on the working directory. */
export function graphSettings(command: Readonly<Record<string, unknown>>): Record<string, string> {
  const names = ["sources", "train-labels", "format", "per-relation", ...Object.keys(SOURCE_OPTIONS).map(flagName)];
  const words = (name: string, value: unknown): string => {
    if (Array.isArray(value)) return value.map((part) => words(name, part)).join(" ");
    if (value === undefined) return "not given";
    return FILES.includes(name) ? basename(recordedName(String(value))) : String(value);
  };
  return Object.fromEntries(names.map((name) => [name, words(name, command[name])]));
}

/** The first digits of a file's hash, enough to distinguish its versions. */
export function shortHash(file: RunRecord["modelFile"]): string | undefined {
  return file?.sha256.slice(0, 12);
}

/** The settings of an earlier run, and the names of the settings that differ now. */
function changedSettings({ command, model, modelFile, options, training }: EarlierRun, requested: Settings) {
  const earlierSettings: Settings = {
    ...options,
    ...training,
    model,
    "model file": shortHash(modelFile),
    ...graphSettings(command),
  };
  return {
    earlierSettings,
    changed: Object.keys(requested).filter((name) => String(earlierSettings[name]) !== String(requested[name])),
  };
}

/** Whether the only change is a larger number of epochs. */
function wantsMoreEpochs(earlier: EarlierRun, requested: Settings): boolean {
  const { earlierSettings, changed } = changedSettings(earlier, requested);
  return (
    changed.length === 1 && changed[0] === "epochs" && Number(requested["epochs"]) > Number(earlierSettings["epochs"])
  );
}

/** Throws if a finished run had other settings. */
export function requireSameSettings(
  out: string,
  earlier: EarlierRun,
  requested: Settings,
  constantRate: boolean,
): void {
  const { earlierSettings, changed } = changedSettings(earlier, requested);
  if (changed.length === 0) return;
  if (wantsMoreEpochs(earlier, requested)) {
    const { model, epochs, stopReason } = earlier;
    const why = !constantRate
      ? `the learning rate of ${model} falls until the last epoch, so no epochs can follow`
      : stopReason === "patience"
        ? "the loss had stopped falling (patience), so more epochs would change nothing"
        : "its state after the last epoch was not kept";
    const alsoPatience = stopReason === "patience" && constantRate ? " and a larger --patience" : "";
    throw new InputError(
      `--resume: ${out} holds a finished run of ${epochs} epochs: ${why}. Use --overwrite${alsoPatience} instead of --resume to train again with ${requested["epochs"]}, or choose another --out.`,
    );
  }
  const words = changed.slice(0, 3).map((name) => `${name} ${earlierSettings[name]}, now ${requested[name]}`);
  throw new InputError(
    `--resume: ${out} holds a finished run with other settings (${words.join("; ")}). Add --overwrite to train again, or choose another --out.`,
  );
}
