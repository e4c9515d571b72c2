/**
 * The folder a run writes into. It is looked at before the training and touched only when there is something to write;
 * results are complete in a staging folder before the first of them gets its name.
 */

import { constants, type Dirent } from "node:fs";
import { access, mkdir, readdir, readFile, readlink, rename, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { RunRecord } from "../../core/record.js";
import { explainWriteError } from "../../io/system-faults.js";
import { formatBytes } from "../../report/format.js";
import { CHECKPOINT, hasCheckpoint } from "../run/checkpoint.js";

/** The folder that --out names; fails if it is not given. */
export function requireOutputFolder(out: string | undefined): string {
  if (out !== undefined) return out;
  throw new InputError("--out: not given; expected a folder for the results, such as --out vectors.");
}

const STAGING = ".hmge-staging";
const RECORD = "run.json";
/** What `hmge project` calls its map of a folder's vectors. */
export const PROJECTION = "projection.tsv";
/** What a record says it is that has no training. */
export const NEW_NODES = "new nodes";
const RESULT = /^(embeddings\..+|model\.safetensors|run\.json|report\.html)$/;

/** The part of an earlier record that matters here. */
export type EarlierRun = Pick<
  RunRecord,
  "started" | "stopReason" | "epochs" | "outputs" | "command" | "model" | "modelFile" | "options" | "training" | "graph"
>;

export interface FolderState {
  readonly exists: boolean;
  readonly earlier?: EarlierRun;
  readonly checkpoint: boolean;
}

/** Fails where the folder could not take the results; `dataset`: those of no run, which do not belong beside one. */
export async function checkOutputFolder(
  out: string,
  { overwrite, resume, dataset = false }: { overwrite: boolean; resume: boolean; dataset?: boolean },
): Promise<FolderState> {
  const status = await stat(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw explainWriteError(error, out);
  });
  if (status === undefined) {
    await requireNoLink(out);
    await requireWritable(await nearestFolder(out), out);
    return { exists: false, checkpoint: false };
  }
  if (!status.isDirectory()) {
    throw new InputError(`${out}: is a file; expected a folder for the results. Choose another --out.`);
  }
  await requireWritable(out, out);
  const found = await readdir(out, { withFileTypes: true }).catch((error: unknown) => {
    throw explainWriteError(error, out);
  });
  const entries = found.map(({ name }) => name);
  const wrong = found.find((entry) => (entry.name === CHECKPOINT ? entry.isFile() : isResultFolder(entry)));
  if (wrong !== undefined) {
    const [is, expected] = wrong.isFile() ? ["file", "folder"] : ["folder", "file"];
    throw new InputError(
      `${join(out, wrong.name)}: is a ${is}; a run writes a ${expected} of this name. Rename it or choose another --out.`,
    );
  }
  const earlier = await readEarlierRun(out);
  const checkpoint = await hasCheckpoint(out);
  const abandoned = (await readdir(join(out, CHECKPOINT)).catch(() => [])).every(isLeftover);
  if (dataset && (earlier !== undefined || checkpoint)) {
    throw new InputError(`${out}: holds a run and its vectors; expected a new or empty folder. Choose another --out.`);
  }
  if (!overwrite && !resume && (earlier !== undefined || checkpoint)) {
    throw new InputError(
      `${out}: holds ${earlier === undefined ? "an unfinished run" : `the run of ${earlier.started}`}. Add --resume to go on with it, --overwrite to replace it, or choose another --out.`,
    );
  }
  const half = entries.includes(STAGING); // a process was killed while it gave the files their names
  const foreign = entries.find(
    (entry) => !isLeftover(entry) && !(entry === CHECKPOINT && abandoned) && !(half && RESULT.test(entry)),
  );
  if (!overwrite && earlier === undefined && !checkpoint && foreign !== undefined) {
    throw new InputError(
      `${out}: holds other files, such as ${foreign}; expected a new or empty folder. Choose another --out, or add --overwrite to write beside them.`,
    );
  }
  return { exists: true, earlier, checkpoint };
}

/** A link whose target is not there cannot become a folder. */
async function requireNoLink(out: string): Promise<void> {
  const target = await readlink(out).catch(() => undefined);
  if (target === undefined) return;
  throw new InputError(
    `${out}: a link to ${target}, which does not exist. Create that folder, remove the link or choose another --out.`,
  );
}

function isResultFolder(entry: Dirent): boolean {
  return entry.isDirectory() && RESULT.test(entry.name);
}

/** What a process that was killed may leave behind: nothing of value. */
function isLeftover(entry: string): boolean {
  return entry === STAGING || /^\..*\.[0-9a-f]{12}\.tmp$/.test(entry);
}

async function readEarlierRun(out: string): Promise<EarlierRun | undefined> {
  const record = await readRecord(out);
  return isEarlierRun(record) ? record : undefined;
}

/** What a record in the folder holds, run.json or another; undefined where there is none, or none that can be read. */
export async function readRecord(out: string, name = RECORD): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(out, name), "utf8"));
  } catch {
    return undefined;
  }
}

/** Whether this is the record of a training. */
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

/** Fails when the disk has no room for so many bytes. */
export async function requireRoom(out: string, bytes: number): Promise<void> {
  const folder = await stat(out).then(
    () => out,
    () => nearestFolder(out),
  );
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Infinity, bsize: 1 }));
  if (bavail * bsize >= bytes) return;
  throw new InputError(
    `${out}: the disk has ${formatBytes(bavail * bsize)} left; the results need about ${formatBytes(bytes)}. Free some space or choose another folder.`,
  );
}

/**
 * Has `write` fill a staging folder with files, the record last, then gives them their names. Files of the earlier run
 * that have no successor are removed.
 */
export async function publish(out: string, write: (staging: string) => Promise<void>): Promise<void> {
  const staging = join(out, STAGING);
  try {
    await removeLeftovers(out);
    await mkdir(staging, { recursive: true });
    await write(staging);
    const written = await readdir(staging);
    const earlier = await earlierOutputs(out);
    // without its record the folder is no finished run until all files are in place
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

/** Files that a record in the folder calls its own, be it of a training or of new nodes. */
async function earlierOutputs(out: string): Promise<string[]> {
  const record = await readRecord(out);
  const outputs = isEarlierRun(record) || isOfNewNodes(record) ? record.outputs : [];
  // a projection is of the vectors that are replaced
  return outputs.length === 0 ? [] : [...outputs.filter((name) => basename(name) === name), PROJECTION];
}

function isOfNewNodes(record: unknown): record is { readonly outputs: readonly string[] } {
  if (typeof record !== "object" || record === null) return false;
  const { kind, outputs } = record as Record<string, unknown>;
  return kind === NEW_NODES && Array.isArray(outputs) && outputs.every((name) => typeof name === "string");
}

async function removeLeftovers(out: string): Promise<void> {
  for (const entry of await readdir(out).catch(() => [])) {
    if (isLeftover(entry)) await rm(join(out, entry), { recursive: true, force: true });
  }
}
