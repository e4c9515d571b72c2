/** Trained vectors as files that the command line reads again. */

import { type Embedding, InputError } from "../../index.js";
import { npyHeader, vectorLines } from "../../tables.js";

/** Characters of text per piece of a file; a single text of a large file would not fit into a string. Not tuned. */
const PIECE = 1 << 20;

/** Characters of an id that a message shows. */
const SHOWN = 60;

/** The vectors as TSV: a header node, v1, v2, … and one row per node. */
export function vectorsAsTsv(embedding: Embedding): Blob {
  const pieces: string[] = [];
  let piece = "";
  for (const line of vectorLines(embedding, "\t")) {
    piece += line;
    if (piece.length < PIECE) continue;
    pieces.push(piece);
    piece = "";
  }
  return new Blob([...pieces, piece], { type: "text/tab-separated-values" });
}

/** The vectors as NumPy's npy; the ids are in a second file, one per line. Throws if an id has a line break. */
export function vectorsAsNpy({ ids, dim, vectors }: Embedding): { readonly npy: Blob; readonly ids: Blob } {
  const broken = ids.find((id) => /[\r\n]/.test(id));
  if (broken !== undefined) {
    throw new InputError(
      `NumPy: the id ${JSON.stringify(broken.slice(0, SHOWN))} has a line break; expected ids of one line. Save the vectors as TSV.`,
    );
  }
  const header = npyHeader(ids.length, dim);
  return {
    npy: new Blob([header, new Float32Array(vectors)], { type: "application/octet-stream" }),
    ids: new Blob(
      ids.map((id) => `${id}\n`),
      { type: "text/plain" },
    ),
  };
}
