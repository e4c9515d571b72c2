/** Sparse matrices in parts of consecutive rows, which several processes compute. */

import type { WeightedCsr } from "./csr.js";

/** Some consecutive rows of a matrix; `rowStart` counts from the first entry of the part. */
export interface RowPart extends WeightedCsr {
  /** Number of the first row of the part in the whole matrix. */
  readonly firstRow: number;
}

/** The parts, in the order of their rows, as one matrix with all values divided by `divisor`. */
export function stackedRows(parts: readonly RowPart[], divisor: number): WeightedCsr {
  if (parts.length === 1) {
    const [{ rowStart, columns, values }] = parts;
    return { rowStart, columns, values: values.map((value) => value / divisor) };
  }
  const size = parts.reduce((sum, { columns }) => sum + columns.length, 0);
  const rowStart = new Uint32Array(parts.reduce((sum, part) => sum + part.rowStart.length - 1, 1));
  const columns = new Uint32Array(size);
  const values = new Float32Array(size);
  let at = 0;
  for (const part of parts) {
    for (let r = 1; r < part.rowStart.length; r++) rowStart[part.firstRow + r] = at + part.rowStart[r];
    columns.set(part.columns, at);
    for (let e = 0; e < part.values.length; e++) values[at + e] = part.values[e] / divisor;
    at += part.columns.length;
  }
  return { rowStart, columns, values };
}
