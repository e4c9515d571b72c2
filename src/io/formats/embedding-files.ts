/** Writes and reads embeddings in any of the formats. */

import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type Embedding,
  isVectorRows,
  requireDistinctIds,
  requireFinite,
  requireVectors,
  type VectorRows,
  vectorRows,
  vectorSlices,
  wholeEmbedding,
} from "../../core/embedding.js";
import { InputError, suggest } from "../../core/errors.js";
import { requireCount } from "../../core/validation.js";
import { cannotRead } from "../read-input.js";
import type { EmbeddingFormat } from "./format.js";
import { embeddingFormats } from "./index.js";
import { requireVectorsOfRun } from "./run-vectors.js";
import { VectorStore } from "./vector-store.js";

/** The format with this name. */
export function formatByName(name: string): EmbeddingFormat {
  const format = embeddingFormats.find((candidate) => candidate.name === name);
  if (format !== undefined) return format;
  const names = embeddingFormats.map((candidate) => candidate.name);
  throw new InputError(`format: unknown format "${name}"${suggest(name, names)}`);
}

/** The format of a file by its extension. */
export function formatByPath(path: string): EmbeddingFormat {
  const name = basename(path).toLowerCase();
  const fitting = embeddingFormats.filter(({ extension }) => name === extension || name.endsWith(`.${extension}`));
  const best = fitting.sort((a, b) => b.extension.length - a.extension.length).at(0);
  if (best !== undefined) return best;
  const known = embeddingFormats.map(({ extension }) => `.${extension}`).join(", ");
  throw new InputError(`${path}: no embedding format has this extension; expected one of ${known}.`);
}

/** Throws if an id or a number cannot be written in one of these formats; to be called before long work. */
export function checkWritable(
  embedding: Pick<Embedding, "ids"> & Partial<Embedding>,
  formats: readonly EmbeddingFormat[],
): void {
  requireDistinctIds(embedding.ids, "embedding");
  for (const format of formats) format.checkIds?.(embedding.ids);
  const { vectors, dim } = embedding;
  if (vectors === undefined || dim === undefined) return;
  requireVectors({ ids: embedding.ids, dim, vectors }, "embedding");
}

/** Writes an embedding in the named format, by default the format of the path's extension. Returns the written files. */
export async function writeEmbeddings(
  path: string,
  embedding: Embedding | VectorRows,
  format?: string,
): Promise<string[]> {
  if (!isVectorRows(embedding)) requireVectors(embedding, "embedding");
  const chosen = format === undefined ? formatByPath(path) : formatByName(format);
  checkWritable(embedding, [chosen]);
  return chosen.write(path, embedding);
}

/** Writes `embeddings.EXTENSION` into a folder for each named format. Returns the written files. */
export async function writeEmbeddingsFolder(
  folder: string,
  embedding: Embedding | VectorRows,
  formats: readonly string[],
): Promise<string[]> {
  const chosen = [...new Set(formats)].map(formatByName);
  checkWritable(embedding, chosen);
  const files: string[] = [];
  for (const format of chosen)
    files.push(...(await format.write(join(folder, `embeddings.${format.extension}`), embedding)));
  return files;
}

/**
 * Reads an embedding from a file, or from a folder that `embed` wrote, in the first format found there. In a folder, vectors of
 * another run are refused; a single file is not checked.
 */
export async function readEmbeddings(path: string): Promise<Embedding> {
  return wholeEmbedding(await readPath(path, new VectorStore(true)));
}

/** Like `readEmbeddings`, but more than `maxNumbers` numbers stay in a file and are read in slices. */
export async function openEmbeddings(path: string, maxNumbers?: number): Promise<Embedding | VectorRows> {
  return readPath(path, new VectorStore(false, maxNumbers));
}

async function readPath(path: string, store: VectorStore): Promise<Embedding | VectorRows> {
  const status = await stat(path).catch((error) => {
    throw cannotRead(error, path);
  });
  if (!status.isDirectory()) return readFile(path, formatByPath(path), store);
  const file = await findEmbeddingFile(path);
  if (file === undefined) {
    throw new InputError(
      `${path}: the folder holds no embeddings; expected embeddings.parquet. Give a folder that "hmge embed" wrote.`,
    );
  }
  const rows = await readFile(file, formatByPath(file), store);
  await requireVectorsOfRun(path, file, rows);
  return rows;
}

/** The file of vectors that is read from this folder; undefined if there is none. */
export async function findEmbeddingFile(folder: string): Promise<string | undefined> {
  for (const { extension } of embeddingFormats) {
    const file = join(folder, `embeddings.${extension}`);
    if ((await stat(file).catch(() => undefined))?.isFile()) return file;
  }
  return undefined;
}

/** Opens a file of vectors. Throws unless every id is distinct and every number finite. */
export async function openEmbeddingFile(path: string, format: EmbeddingFormat): Promise<Embedding | VectorRows> {
  return readFile(path, format, new VectorStore(false));
}

async function readFile(path: string, format: EmbeddingFormat, store: VectorStore): Promise<Embedding | VectorRows> {
  const { ids, dim } = await format.read(path, store);
  requireCount(dim, `${path}: dim`);
  const found = store.finish(ids, dim);
  for (const { first, vectors } of vectorSlices(vectorRows(found))) requireFinite(vectors, ids, dim, first, path);
  requireDistinctIds(ids, path);
  return found;
}
