/** What an embedding format is; `index.ts` lists them. */

import type { Embedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";

export interface EmbeddingFormat {
  readonly name: string;
  /** Of its (first) file, without the dot. */
  readonly extension: string;
  readonly doc: string;
  /** Fails if an id cannot be written in this format. */
  readonly checkIds?: (ids: readonly string[]) => void;
  /** Writes complete files or none; returns their names. */
  readonly write: (path: string, embedding: Embedding) => Promise<string[]>;
  readonly read: (path: string) => Promise<Embedding>;
}

/** States a format. */
export function defineFormat(format: EmbeddingFormat): EmbeddingFormat {
  return format;
}

/** Fails at the first id that matches `unfit`. */
export function refuseIds(ids: readonly string[], unfit: RegExp, format: string, what: string): void {
  const bad = ids.find((id) => unfit.test(id));
  if (bad !== undefined) {
    throw new InputError(
      `format ${format}: node id ${quoteValue(bad)} cannot be written; this format has no ids that hold ${what}. ` +
        "Choose parquet, csv or tsv.",
    );
  }
}

/** The name of a file that accompanies another: `a/b.npy` with `.npy` and `.ids.txt` gives `a/b.ids.txt`. */
export function companion(path: string, extension: string, other: string): string {
  return (path.endsWith(extension) ? path.slice(0, -extension.length) : path) + other;
}
