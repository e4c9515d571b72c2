/** The state of a run in a file, from which a later process continues bit for bit. */

import { createHash } from "node:crypto";
import { access, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "../../core/errors.js";
import { readSafetensors, SafetensorsError, writeSafetensors } from "../../io/formats/safetensors.js";
import { NoRowsError } from "../../sniff/text-head.js";
import { IDENTITY_KEYS, type RunIdentity, type RunProgress, type Snapshot } from "../../train/snapshot.js";

const FORMAT = "hmge checkpoint 1";

export interface Checkpoint {
  readonly snapshot: Snapshot;
  /** When the run was first started. */
  readonly started: string;
  /** SHA-256 of the file of the user's own model. */
  readonly modelFile?: string;
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

export async function writeCheckpoint(out: string, { snapshot, started, modelFile }: Checkpoint): Promise<void> {
  const path = checkpointFile(out);
  await mkdir(dirname(path), { recursive: true });
  const tensors = snapshot.tensors.map(({ name, rows, cols, data }) => ({ name, shape: [rows, cols], data }));
  const progress = JSON.stringify(snapshot.progress);
  await writeSafetensors(path, tensors, {
    format: FORMAT,
    identity: JSON.stringify(snapshot.identity),
    progress,
    started,
    ...(modelFile === undefined ? {} : { modelFile }),
    sha256: digest(progress, new Map(tensors.map((tensor) => [tensor.name, tensor.data]))),
  });
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
  const { tensors, metadata } = await readSafetensors(path).catch((error: unknown) => {
    if (error instanceof SafetensorsError) throw damaged(error.reason);
    throw error instanceof NoRowsError ? damaged("the file is empty") : error;
  });
  if (metadata["format"] !== FORMAT) {
    throw new InputError(
      `${path}: its format is ${JSON.stringify(metadata["format"] ?? null)}; expected "${FORMAT}". Another version may have written it. Train again with --overwrite instead of --resume.`,
    );
  }
  const data = new Map([...tensors].map(([name, tensor]) => [name, tensor.data]));
  if (metadata["sha256"] !== digest(metadata["progress"] ?? "", data)) throw damaged("its check sum does not match");
  const identity = parse(metadata["identity"]);
  const progress = parse(metadata["progress"]);
  if (!isIdentity(identity) || !isProgress(progress)) throw damaged("its description is incomplete");
  return {
    started: metadata["started"] ?? "",
    modelFile: metadata["modelFile"],
    snapshot: {
      identity,
      progress,
      tensors: [...tensors].map(([name, { shape, data: values }]) => {
        if (!(values instanceof Float32Array || values instanceof Float64Array) || shape.length !== 2) {
          throw damaged(`tensor ${name} is not a matrix of numbers`);
        }
        return { name, rows: shape[0], cols: shape[1], data: values };
      }),
    },
  };
}

/** Hash of the progress and of names and bytes of the tensors, in the order of their names. */
function digest(progress: string, tensors: ReadonlyMap<string, ArrayBufferView>): string {
  const hash = createHash("sha256").update(progress);
  for (const [name, { buffer, byteOffset, byteLength }] of [...tensors].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(name).update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest("hex");
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
