/** Vectors as text, and the header of NumPy's npy; free of files, for the command line and the page. */

import type { Embedding } from "./embedding.js";
import { floatText } from "./float-text.js";

/** The lines of a table of vectors: a header `node, v1, v2, …` and one row per node; ids are quoted if necessary. */
export function* vectorLines({ ids, dim, vectors }: Embedding, delimiter: string): Generator<string> {
  yield vectorHeader(dim, delimiter);
  for (let i = 0; i < ids.length; i++) yield vectorLine(ids[i], vectors, i, dim, delimiter);
}

/** The first line of a table of vectors. */
export function vectorHeader(dim: number, delimiter: string): string {
  return `${["node", ...Array.from({ length: dim }, (_, k) => `v${k + 1}`)].join(delimiter)}\n`;
}

/** The line of the node whose vector is in this row. */
export function vectorLine(id: string, vectors: Float32Array, row: number, dim: number, delimiter: string): string {
  return quoteField(id, delimiter) + vectorText(vectors, row, dim, delimiter) + "\n";
}

/** The numbers of one vector, each preceded by the delimiter. */
export function vectorText(vectors: Float32Array, row: number, dim: number, delimiter: string): string {
  let text = "";
  for (let k = row * dim; k < (row + 1) * dim; k++) text += delimiter + floatText(vectors[k]);
  return text;
}

/** A field of a CSV file (RFC 4180), quoted if it needs to be or begins with #. */
export function quoteField(field: string, delimiter: string): string {
  const bare = field !== "" && !/["\r\n]/.test(field) && !field.includes(delimiter) && !field.startsWith("#");
  return bare ? field : `"${field.replaceAll('"', '""')}"`;
}

/** The first bytes of every npy file, one character each. */
export const NPY_MAGIC = "\x93NUMPY";

/** The header of an npy file of float32 numbers, [rows, dim], row by row (https://numpy.org/neps/nep-0001-npy-format.html). */
export function npyHeader(rows: number, dim: number): Uint8Array<ArrayBuffer> {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${dim}), }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10; // data begins at a multiple of 64
  // version 1.0, then the length of the text in two bytes, the smaller first
  const start = `${NPY_MAGIC}\x01\0${String.fromCharCode(length % 256, length >> 8)}`;
  return Uint8Array.from(`${start}${text.padEnd(length - 1)}\n`, (char) => char.charCodeAt(0));
}
