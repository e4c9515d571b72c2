/** Columns of dense matrices that have one row per node. */

import type { FloatArray, Rows } from "./rows.js";

export const NO_COLUMNS: Rows<Float32Array> = { data: new Float32Array(0), width: 0 };

/** Scaled so that the root mean square length of a row is `length`. */
export function scaledToLength({ data, width }: Rows<Float32Array>, length: number): Rows<Float32Array> {
  let square = 0;
  for (let at = 0; at < data.length; at++) square += data[at] * data[at];
  const factor = square === 0 ? 0 : (length * Math.sqrt(data.length / width)) / Math.sqrt(square);
  const out = new Float32Array(data.length);
  for (let at = 0; at < data.length; at++) out[at] = factor * data[at];
  return { data: out, width };
}

/** The first columns, at most `max`. */
export function leadingColumns(columns: Rows<FloatArray>, max: number): Rows<Float32Array> {
  return selectColumns(
    columns,
    Array.from({ length: Math.min(max, columns.width) }, (_, k) => k),
  );
}

/** The last columns, at most `max`. */
export function lastColumns(columns: Rows<Float32Array>, max: number): Rows<Float32Array> {
  const count = Math.min(max, columns.width);
  return selectColumns(
    columns,
    Array.from({ length: count }, (_, k) => columns.width - count + k),
  );
}

/** The chosen columns, in the order of `chosen`. */
export function selectColumns({ data, width }: Rows<FloatArray>, chosen: readonly number[]): Rows<Float32Array> {
  const numRows = width === 0 ? 0 : data.length / width;
  const out = new Float32Array(numRows * chosen.length);
  for (let i = 0, at = 0; i < numRows; i++) {
    for (let c = 0; c < chosen.length; c++) out[at++] = data[i * width + chosen[c]];
  }
  return { data: out, width: chosen.length };
}

/** Several matrices of `numRows` rows side by side. */
export function joinColumns(numRows: number, parts: readonly Rows<Float32Array>[]): Rows<Float32Array> {
  const width = parts.reduce((sum, part) => sum + part.width, 0);
  const data = new Float32Array(numRows * width);
  let first = 0;
  for (const part of parts) {
    for (let i = 0, from = 0; i < numRows; i++) {
      const to = i * width + first;
      for (let k = 0; k < part.width; k++) data[to + k] = part.data[from++];
    }
    first += part.width;
  }
  return { data, width };
}
