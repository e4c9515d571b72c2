/**
 * Checks that the files of a run folder belong together. A run writes the hash of its vectors into run.json and into
 * model.safetensors, and reading the folder compares it. Folders of older versions have no hash and are not checked.
 */

import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Embedding, rowSlices, sliceRoom, type VectorRows, vectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { WordHash } from "../../graph/content-hash.js";
import { compareCodeUnits } from "../../graph/order/natural-order.js";
import { readSafetensorsMetadata } from "./safetensors.js";

/** Key of the hash in run.json and in the metadata of model.safetensors. */
export const VECTORS_HASH = "vectorsHash";

const RECORD = "run.json";
const MODEL = "model.safetensors";

/** Hash of ids and vectors, 32 hexadecimal digits. It does not depend on the order of the nodes or on the sign of a zero. */
export function vectorsHash(source: Embedding | VectorRows): string {
  const { ids, dim, at, range } = vectorRows(source);
  const hash = new WordHash();
  hash.text("vectors 1");
  hash.word(ids.length);
  hash.word(dim);
  const order = orderById(ids);
  const row = new Float32Array(dim);
  const bits = new Uint32Array(row.buffer);
  const room = sliceRoom(ids.length, dim);
  for (const { first, end } of rowSlices(ids.length, dim)) {
    const vectors = order === undefined ? range(first, end, room) : at(order.subarray(first, end), room);
    for (let i = first; i < end; i++) {
      hash.text(ids[order === undefined ? i : order[i]]);
      // Text formats may write −0 as 0.
      for (let k = 0; k < dim; k++) row[k] = vectors[(i - first) * dim + k] + 0;
      hash.words(bits);
    }
  }
  return hash.digest();
}

/** Indices of the ids in ascending order of the ids; undefined if they are sorted already. */
function orderById(ids: readonly string[]): Uint32Array | undefined {
  for (let i = 1; i < ids.length; i++) {
    if (ids[i - 1] < ids[i]) continue;
    return Uint32Array.from(ids, (_, place) => place).sort((a, b) => compareCodeUnits(ids[a], ids[b]));
  }
  return undefined;
}

/** Throws if the vectors in a run folder are not the vectors of its run record and its model. */
export async function requireVectorsOfRun(
  folder: string,
  file: string,
  vectors: Embedding | VectorRows,
): Promise<void> {
  const [recorded, modelled] = [await recordHash(folder), await modelHash(folder)];
  if (recorded === undefined && modelled === undefined) return;
  const found = vectorsHash(vectors);
  const [name, advice] = [
    basename(file),
    `Restore the right file, or run hmge embed again. To read these vectors anyway, give the file instead of the folder: ${file}.`,
  ];
  if ((recorded ?? found) === found && (modelled ?? found) === found) return;
  if (recorded === found) {
    throw new InputError(
      `${join(folder, MODEL)}: belongs to another run than ${name} and ${RECORD}; expected one run. ${advice}`,
    );
  }
  if (modelled === found) {
    throw new InputError(
      `${join(folder, RECORD)}: belongs to another run than ${name} and ${MODEL}; expected one run. ${advice}`,
    );
  }
  const others = [recorded === undefined ? "" : RECORD, modelled === undefined ? "" : MODEL].filter(Boolean);
  throw new InputError(
    `${file}: does not hold the vectors of the run in this folder (${others.join(", ")}); it was changed or belongs to another run. ${advice}`,
  );
}

async function recordHash(folder: string): Promise<string | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(join(folder, RECORD), "utf8"));
    const hash: unknown = Reflect.get(Object(record), VECTORS_HASH);
    return typeof hash === "string" ? hash : undefined;
  } catch {
    return undefined; // The record is missing or unreadable; the hash in the model is still compared.
  }
}

async function modelHash(folder: string): Promise<string | undefined> {
  const metadata = await readSafetensorsMetadata(join(folder, MODEL)).catch(() => undefined);
  return metadata?.[VECTORS_HASH];
}
