/** The interface of embedding formats; `index.ts` lists them. */

import {
  type Embedding,
  isVectorRows,
  requireFinite,
  type VectorRows,
  vectorRows,
  vectorSlices,
} from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";
import type { VectorStore } from "./vector-store.js";

export interface EmbeddingFormat {
  readonly name: string;
  /** Extension of the first file, without the dot. */
  readonly extension: string;
  readonly doc: string;
  /** Throws if an id cannot be written in this format. */
  readonly checkIds?: (ids: readonly string[]) => void;
  /** Writes the files completely or not at all; returns their paths. */
  readonly write: (path: string, vectors: Embedding | VectorRows) => Promise<string[]>;
  /** Adds the vectors to the store; returns their ids and their width. */
  readonly read: (path: string, store: VectorStore) => Promise<Pick<Embedding, "ids" | "dim">>;
}

/** The vectors, slice by slice. Throws at the first number that is not finite; `writeEmbeddings` has checked an embedding already. */
export function* finiteSlices(source: Embedding | VectorRows): ReturnType<typeof vectorSlices> {
  const rows = vectorRows(source);
  for (const slice of vectorSlices(rows)) {
    if (isVectorRows(source)) requireFinite(slice.vectors, rows.ids, rows.dim, slice.first, "embedding");
    yield slice;
  }
}

/** Text for each vector, from its index among all vectors and in its slice. */
export function* vectorTexts(
  source: Embedding | VectorRows,
  textOf: (vectors: Float32Array, row: number, node: number) => string,
): Generator<string> {
  for (const { first, end, vectors } of finiteSlices(source)) {
    for (let node = first; node < end; node++) yield textOf(vectors, node - first, node);
  }
}

/** Declares a format. */
export function defineFormat(format: EmbeddingFormat): EmbeddingFormat {
  return format;
}

/** Throws if an id matches `unfit`; `what` names the characters in the message. */
export function refuseIds(ids: readonly string[], unfit: RegExp, format: string, what: string): void {
  const bad = ids.find((id) => unfit.test(id));
  if (bad !== undefined) {
    throw new InputError(
      `format ${format}: node id ${quoteValue(bad)} cannot be written; expected ids without ${what}. ` +
        "Choose parquet, csv or tsv.",
    );
  }
}

/** The path of a companion file: `a/b.npy` with `.npy` and `.ids.txt` gives `a/b.ids.txt`. */
export function companion(path: string, extension: string, other: string): string {
  return (path.endsWith(extension) ? path.slice(0, -extension.length) : path) + other;
}
