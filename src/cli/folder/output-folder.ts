/**
 * The folder into which a run writes its results. The folder is checked before the training. Results are first written to a
 * staging folder; when all are complete, they are moved into the folder.
 */

import { constants, type Dirent } from "node:fs";
import { access, mkdir, readdir, readFile, readlink, realpath, rename, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { RunRecord } from "../../core/record.js";
import { explainWriteError } from "../../io/system-faults.js";
import { formatBytes } from "../../report/format.js";
import { CHECKPOINT, hasCheckpoint } from "../run/checkpoint.js";
import { filesAt, flagTexts, type InputArguments } from "./input-files.js";

/** Returns the folder of --out; throws if the option is missing. */
export function requireOutputFolder(out: string | undefined): string {
  if (out !== undefined) return out;
  throw new InputError("--out: missing; expected a folder for the results, such as --out vectors.");
}

const STAGING = ".hmge-staging";
const RECORD = "run.json";
/** Name of the file that `hmge project` writes into the folder of the vectors. */
export const PROJECTION = "projection.tsv";
/** `kind` in the record of `embed --model-from`, which places new nodes without training. */
export const NEW_NODES = "new nodes";
/** Names of the files that a run writes. */
const RESULT_NAME = /^(embeddings\..+|model\.safetensors|run\.json|report\.html)$/;

/** The fields of an earlier run's record that commands read. */
export type EarlierRun = Pick<
  RunRecord,
  "started" | "stopReason" | "epochs" | "outputs" | "command" | "model" | "modelFile" | "options" | "training" | "graph"
>;

export interface FolderState {
  readonly exists: boolean;
  readonly earlier?: EarlierRun;
  readonly checkpoint: boolean;
}

interface FolderUse {
  readonly overwrite: boolean;
  readonly resume: boolean;
  /** Whether the command writes a dataset, so that a folder that holds a run is rejected. */
  readonly dataset?: boolean;
  /** The arguments of a command that writes a run: none of its inputs may be replaced. */
  readonly args?: InputArguments;
}

/** Throws if the results cannot be written into the folder. */
export async function checkOutputFolder(
  out: string,
  { overwrite, resume, dataset = false, args }: FolderUse,
): Promise<FolderState> {
  const status = await stat(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw explainWriteError(error, out);
  });
  if (status === undefined) {
    await requireNoDanglingLink(out);
    await requireWritable(await nearestFolder(out), out);
    return { exists: false, checkpoint: false };
  }
  if (!status.isDirectory()) {
    throw new InputError(`${out}: is a file; expected a folder for the results. Choose another --out.`);
  }
  await requireWritable(out, out);
  if (args !== undefined) await requireNoReplacedInput(out, args);
  const dirents = await readdir(out, { withFileTypes: true }).catch((error: unknown) => {
    throw explainWriteError(error, out);
  });
  const entries = dirents.map(({ name }) => name);
  const conflict = dirents.find((entry) => (entry.name === CHECKPOINT ? entry.isFile() : isResultFolder(entry)));
  if (conflict !== undefined) {
    const [actual, expected] = conflict.isFile() ? ["file", "folder"] : ["folder", "file"];
    throw new InputError(
      `${join(out, conflict.name)}: is a ${actual}; a run writes a ${expected} of this name. Rename it or choose another --out.`,
    );
  }
  const earlier = await readEarlierRun(out);
  const checkpoint = await hasCheckpoint(out);
  const onlyLeftovers = (await readdir(join(out, CHECKPOINT)).catch(() => [])).every(isLeftover);
  if (dataset && (earlier !== undefined || checkpoint)) {
    throw new InputError(`${out}: holds a run and its vectors; expected a new or empty folder. Choose another --out.`);
  }
  if (!overwrite && !resume && (earlier !== undefined || checkpoint)) {
    throw new InputError(
      `${out}: holds ${earlier === undefined ? "an unfinished run" : `the run of ${earlier.started}`}. Add --resume to continue it, --overwrite to replace it, or choose another --out.`,
    );
  }
  const unfinished = entries.includes(STAGING); // a process was killed while it renamed the files
  const otherFile = entries.find(
    (entry) =>
      !isLeftover(entry) && !(entry === CHECKPOINT && onlyLeftovers) && !(unfinished && RESULT_NAME.test(entry)),
  );
  if (!overwrite && earlier === undefined && !checkpoint && otherFile !== undefined) {
    throw new InputError(
      `${out}: holds other files, such as ${otherFile}; expected a new or empty folder. Choose another --out, or add --overwrite to keep them and write the results too.`,
    );
  }
  return { exists: true, earlier, checkpoint };
}

/** Throws if the path is a symbolic link without a target: no folder can be created there. */
async function requireNoDanglingLink(out: string): Promise<void> {
  const target = await readlink(out).catch(() => undefined);
  if (target === undefined) return;
  throw new InputError(
    `${out}: is a link to ${target}, which does not exist. Create that folder, remove the link or choose another --out.`,
  );
}

/** Throws if a run in this folder would replace or remove a file that the command reads. */
async function requireNoReplacedInput(out: string, args: InputArguments): Promise<void> {
  const folder = await realpath(out);
  const earlier = await earlierOutputs(out);
  // only words may name folders: the text of a flag, such as the name of a model, may also be that of a folder
  const inputs = [...(await Promise.all(args.words.map(filesAt))).flat(), ...flagTexts(args)];
  for (const input of inputs) {
    const file = await realpath(input).catch(() => undefined);
    if (file === undefined || dirname(file) !== folder) continue;
    if (!RESULT_NAME.test(basename(file)) && !earlier.includes(basename(file))) continue;
    throw new InputError(`--out: ${input} is also an input of this command; choose another folder.`);
  }
}

function isResultFolder(entry: Dirent): boolean {
  return entry.isDirectory() && RESULT_NAME.test(entry.name);
}

/** Whether this is a temporary file or folder of a killed process. */
function isLeftover(entry: string): boolean {
  return entry === STAGING || /^\..*\.[0-9a-f]{12}\.tmp$/.test(entry);
}

async function readEarlierRun(out: string): Promise<EarlierRun | undefined> {
  const record = await readRecord(out);
  return isEarlierRun(record) ? record : undefined;
}

/** The content of run.json, or of another record in the folder; undefined if it is missing or unreadable. */
export async function readRecord(out: string, name = RECORD): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(out, name), "utf8"));
  } catch {
    return undefined;
  }
}

/** Whether this value is the record of a training. */
export function isEarlierRun(record: unknown): record is EarlierRun {
  if (typeof record !== "object" || record === null) return false;
  const { started, stopReason, epochs, outputs, format } = record as Record<string, unknown>;
  return (
    typeof format === "number" &&
    typeof started === "string" &&
    typeof stopReason === "string" &&
    typeof epochs === "number" &&
    Array.isArray(outputs)
  );
}

async function nearestFolder(out: string): Promise<string> {
  for (let path = dirname(resolve(out)); ; path = dirname(path)) {
    const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw explainWriteError(error, out);
    });
    if (status?.isDirectory()) return path;
    if (status !== undefined)
      throw new InputError(`${out}: ${path} is a file; expected a folder. Choose another --out.`);
  }
}

export async function requireWritable(folder: string, out: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw explainWriteError(error, out);
  });
}

/** Throws if the disk has fewer than `bytes` free bytes. */
export async function requireDiskSpace(out: string, bytes: number): Promise<void> {
  const folder = await stat(out).then(
    () => out,
    () => nearestFolder(out),
  );
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Infinity, bsize: 1 }));
  if (bavail * bsize >= bytes) return;
  throw new InputError(
    `${out}: the disk has ${formatBytes(bavail * bsize)} left; the results need about ${formatBytes(bytes)}. Free some space or choose another --out.`,
  );
}

/**
 * Calls `write` to fill a staging folder, then renames its files into the folder, the record last. Files of an earlier run
 * that were not written again are removed.
 */
export async function publish(out: string, write: (staging: string) => Promise<void>): Promise<void> {
  const staging = join(out, STAGING);
  try {
    await removeLeftovers(out);
    await mkdir(staging, { recursive: true });
    await write(staging);
    const written = await readdir(staging);
    const earlier = await earlierOutputs(out);
    // the record is removed first and renamed last: without it the folder counts as unfinished
    await rm(join(out, RECORD), { force: true });
    for (const name of earlier) if (!written.includes(name)) await rm(join(out, name), { force: true });
    for (const name of written.filter((file) => file !== RECORD)) await rename(join(staging, name), join(out, name));
    await rename(join(staging, RECORD), join(out, RECORD));
  } catch (error) {
    throw explainWriteError(error, out);
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => {});
  }
}

/** The files listed in the record of the folder, which may be that of a training or of new nodes. */
async function earlierOutputs(out: string): Promise<string[]> {
  const record = await readRecord(out);
  const outputs = isEarlierRun(record) || isNewNodesRecord(record) ? record.outputs : [];
  // a projection belongs to the replaced vectors
  return outputs.length === 0 ? [] : [...outputs.filter((name) => basename(name) === name), PROJECTION];
}

function isNewNodesRecord(record: unknown): record is { readonly outputs: readonly string[] } {
  if (typeof record !== "object" || record === null) return false;
  const { kind, outputs } = record as Record<string, unknown>;
  return kind === NEW_NODES && Array.isArray(outputs) && outputs.every((name) => typeof name === "string");
}

async function removeLeftovers(out: string): Promise<void> {
  for (const entry of await readdir(out).catch(() => [])) {
    if (isLeftover(entry)) await rm(join(out, entry), { recursive: true, force: true });
  }
}
