/** The state of a run in a file, from which a later process continues bit for bit. */

import { createHash } from "node:crypto";
import { access, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rowSlices } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import {
  type OpenSafetensors,
  openSafetensors,
  SafetensorsError,
  writeSealedSafetensors,
} from "../../io/formats/safetensors.js";
import { NoRowsError } from "../../sniff/text-head.js";
import {
  IDENTITY_KEYS,
  type RunIdentity,
  type RunProgress,
  type SnapshotRows,
  type StoredSnapshot,
} from "../../train/snapshot.js";
import { tableTensors } from "./table-tensor.js";

const FORMAT = "hmge checkpoint 1";

export interface Checkpoint {
  readonly snapshot: StoredSnapshot;
  /** When the run was first started. */
  readonly started: string;
  /** SHA-256 of the file of the user's own model. */
  readonly modelFile?: string;
  /** Kernels of other engines that trained earlier epochs. */
  readonly earlierKernels?: readonly string[];
}

/** Name of the checkpoint's folder in the output folder. */
export const CHECKPOINT = "checkpoint";

function checkpointFile(out: string): string {
  return join(out, CHECKPOINT, "state.safetensors");
}

export async function hasCheckpoint(out: string): Promise<boolean> {
  return access(checkpointFile(out)).then(
    () => true,
    () => false,
  );
}

/** Length of a check sum in hexadecimal digits. */
const SHA256_DIGITS = 64;

export async function writeCheckpoint(
  out: string,
  {
    snapshot,
    started,
    modelFile,
    earlierKernels = [],
  }: Omit<Checkpoint, "snapshot"> & { readonly snapshot: SnapshotRows },
): Promise<void> {
  const path = checkpointFile(out);
  await mkdir(dirname(path), { recursive: true });
  const progress = JSON.stringify(snapshot.progress);
  const hash = createHash("sha256").update(progress);
  const metadata = (sha256: string) => ({
    format: FORMAT,
    identity: JSON.stringify(snapshot.identity),
    progress,
    started,
    ...(modelFile === undefined ? {} : { modelFile }),
    ...(earlierKernels.length === 0 ? {} : { earlierKernels: JSON.stringify(earlierKernels) }),
    sha256,
  });
  const tensors = await tableTensors(snapshot.tables);
  await writeSealedSafetensors(path, tensors, metadata("0".repeat(SHA256_DIGITS)), hash, () =>
    metadata(hash.digest("hex")),
  );
}

/** Removes the checkpoint; other files in its folder stay. */
export async function removeCheckpoint(out: string): Promise<void> {
  const folder = join(out, CHECKPOINT);
  for (const entry of await readdir(folder).catch(() => [])) {
    if (/^\.?state\.safetensors/.test(entry)) await rm(join(folder, entry), { force: true });
  }
  await rmdir(folder).catch(() => {});
}

export async function readCheckpoint(out: string): Promise<Checkpoint> {
  const path = checkpointFile(out);
  const damaged = (what: string) =>
    new InputError(`${path}: the checkpoint is damaged: ${what}. Train again with --overwrite instead of --resume.`);
  const file = await openSafetensors(path).catch((error: unknown) => {
    if (error instanceof SafetensorsError) throw damaged(error.reason);
    throw error instanceof NoRowsError ? damaged("the file is empty") : error;
  });
  const { metadata } = file;
  if (metadata["format"] !== FORMAT) {
    throw new InputError(
      `${path}: its format is ${JSON.stringify(metadata["format"] ?? null)}; expected "${FORMAT}". Another version may have written it. Train again with --overwrite instead of --resume.`,
    );
  }
  if (metadata["sha256"] !== digest(metadata["progress"] ?? "", file)) throw damaged("its check sum does not match");
  const identity = parse(metadata["identity"]);
  const progress = parse(metadata["progress"]);
  if (!isIdentity(identity) || !isProgress(progress)) throw damaged("its description is incomplete");
  const tables = [...file.tensors].map(([name, { shape, dtype }]) => {
    const [rows, cols] = shape;
    const range = (first: number, end: number) => {
      const values = file.read(name, first * cols, end * cols);
      if (values instanceof Float32Array || values instanceof Float64Array) return values;
      throw damaged(`tensor ${name} is not a matrix of numbers`);
    };
    if (shape.length !== 2 || !/^F/.test(dtype)) throw damaged(`tensor ${name} is not a matrix of numbers`);
    return { name, rows, cols, range };
  });
  return {
    started: metadata["started"] ?? "",
    modelFile: metadata["modelFile"],
    earlierKernels: strings(parse(metadata["earlierKernels"])),
    snapshot: { identity, progress, tables },
  };
}

/** Kernels of other engines that trained epochs of a checkpoint. */
export function kernelsBefore(saved: Checkpoint | undefined, now: string): string[] {
  if (saved === undefined) return [];
  const all = [...(saved.earlierKernels ?? []), saved.snapshot.identity.kernels];
  return [...new Set(all)].filter((kernels) => kernels !== now);
}

/** The checkpoint as other ranks see it: they know the shapes, and receive their rows from rank 0. */
export function withoutRows({ snapshot, ...rest }: Checkpoint): Checkpoint {
  const tables = snapshot.tables.map(({ name, rows, cols }) => ({ name, rows, cols }));
  return { ...rest, snapshot: { ...snapshot, tables } };
}

/** Hash of the progress and of names and bytes of the tensors, in the order of their names. */
function digest(progress: string, { tensors, read }: OpenSafetensors): string {
  const hash = createHash("sha256").update(progress);
  for (const [name, { shape }] of [...tensors].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(name);
    const width = shape.slice(1).reduce((product, size) => product * size, 1);
    for (const { first, end } of rowSlices(shape[0] ?? 1, Math.max(1, width))) {
      const { buffer, byteOffset, byteLength } = read(name, first * width, end * width);
      hash.update(new Uint8Array(buffer, byteOffset, byteLength));
    }
  }
  return hash.digest("hex");
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is RunIdentity {
  if (typeof value !== "object" || value === null) return false;
  return IDENTITY_KEYS.every((key) => typeof Reflect.get(value, key) === "string");
}

function isProgress(value: unknown): value is RunProgress {
  if (typeof value !== "object" || value === null) return false;
  const losses: unknown = Reflect.get(value, "losses");
  return (
    Array.isArray(losses) &&
    losses.every((loss) => typeof loss === "number") &&
    ["epoch", "bestEpoch", "sinceBest", "seconds"].every((key) => typeof Reflect.get(value, key) === "number")
  );
}
