/** `hmge embed --resume`: finds the state to continue from, and checks that it belongs to the same run. */

import { basename } from "node:path";
import { InputError } from "../../core/errors.js";
import type { RunRecord } from "../../core/record.js";
import { recordedName } from "../../io/spool.js";
import { flagName } from "../command.js";
import type { EarlierRun, FolderState } from "../folder/output-folder.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";
import type { Output } from "../terminal/output.js";
import { type Checkpoint, readCheckpoint } from "./checkpoint.js";

/** All settings that determine the vectors, by name. */
export type Settings = Readonly<Record<string, unknown>>;

/** The checkpoint to continue from, if there is one. */
export async function findSaved(
  out: string,
  { earlier, checkpoint }: FolderState,
  { asked, constantRate }: { readonly asked: Settings; readonly constantRate: boolean },
  output: Output,
): Promise<Checkpoint | "finished" | undefined> {
  const saved = checkpoint ? await readCheckpoint(out) : undefined;
  // a checkpoint with another start time belongs to a run that was replacing the finished one
  const current = saved === undefined || saved.started === earlier?.started;
  if (earlier !== undefined && earlier.stopReason !== "aborted" && current) {
    const longer = saved !== undefined && constantRate && wantsMoreEpochs(earlier, asked);
    return longer ? saved : "finished";
  }
  if (saved === undefined) output.note(`${out}: nothing to resume; starting from the beginning`);
  return saved;
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

/** The beginning of a hash, enough to distinguish versions of a file. */
export function fileMark(file: RunRecord["modelFile"]): string | undefined {
  return file?.sha256.slice(0, 12);
}

/** The settings that differ from those of an earlier run, with the values that it had. */
function changedSettings({ command, model, modelFile, options, training }: EarlierRun, asked: Settings) {
  const had: Settings = {
    ...options,
    ...training,
    model,
    "model file": fileMark(modelFile),
    ...graphSettings(command),
  };
  return { had, changed: Object.keys(asked).filter((name) => String(had[name]) !== String(asked[name])) };
}

/** Whether the only change is a larger number of epochs. */
function wantsMoreEpochs(earlier: EarlierRun, asked: Settings): boolean {
  const { had, changed } = changedSettings(earlier, asked);
  return changed.length === 1 && changed[0] === "epochs" && Number(asked["epochs"]) > Number(had["epochs"]);
}

/** Throws if a finished run had other settings. */
export function requireSameSettings(out: string, earlier: EarlierRun, asked: Settings, constantRate: boolean): void {
  const { had, changed } = changedSettings(earlier, asked);
  if (changed.length === 0) return;
  if (wantsMoreEpochs(earlier, asked)) {
    const { model, epochs, stopReason } = earlier;
    const why = !constantRate
      ? `the learning rate of ${model} falls until the last epoch, so no epochs can follow`
      : stopReason === "patience"
        ? "the loss had stopped falling (patience), so more epochs would change nothing"
        : "its state after the last epoch was not kept";
    const how = stopReason === "patience" && constantRate ? " and a larger --patience" : "";
    throw new InputError(
      `--resume: ${out} holds a finished run of ${epochs} epochs: ${why}. Give --overwrite${how} instead of --resume to train again with ${asked["epochs"]}, or choose another --out.`,
    );
  }
  const words = changed.slice(0, 3).map((name) => `${name} ${had[name]}, now ${asked[name]}`);
  throw new InputError(
    `--resume: ${out} holds a finished run with other settings (${words.join("; ")}). Add --overwrite to train again, or choose another --out.`,
  );
}
