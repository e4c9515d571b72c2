/** Sparse matrices in compressed sparse row (CSR) form: the type that every folder uses, and operations on it. */

import type { FloatArray } from "./rows.js";

/** Which entries of a sparse matrix are stored. */
export interface CsrPattern {
  /** One offset per row and a last one: the entries of row i are those from `rowStart[i]` to `rowStart[i + 1] - 1`. */
  readonly rowStart: Uint32Array;
  /** Column of each entry, ascending within a row unless a type built on this one says otherwise. */
  readonly columns: Uint32Array;
}

/** A sparse matrix; without `values` every stored entry is 1. */
export interface CsrMatrix<V extends FloatArray = Float32Array> extends CsrPattern {
  readonly values?: V;
}

/** A sparse matrix with a number for each entry. */
export interface WeightedCsr<V extends FloatArray = Float32Array> extends CsrMatrix<V> {
  readonly values: V;
}

/**
 * The matrix diag(left)·(A + diagonal·I)·diag(right), where A is given by its entries. Because the scales are stored
 * apart from A, a 0/1 adjacency needs no value per entry.
 */
export interface ScaledCsr<V extends FloatArray = Float32Array> extends CsrMatrix<V> {
  readonly numRows: number;
  readonly numColumns: number;
  /** One scale per row; absent means 1. */
  readonly left?: Float64Array;
  /** One scale per column; absent means 1. */
  readonly right?: Float64Array;
  readonly diagonal: number;
  /** Whether A equals its transpose, so that no second copy is needed. */
  readonly symmetric: boolean;
}

/** Number of entries in each row. */
export function rowLengths({ rowStart }: CsrPattern): Float64Array {
  const lengths = new Float64Array(rowStart.length - 1);
  for (let i = 0; i < lengths.length; i++) lengths[i] = rowStart[i + 1] - rowStart[i];
  return lengths;
}

/** The transposed matrix. Its columns ascend within each row, whatever the order in the given matrix. */
export function transposeRows<V extends FloatArray>(matrix: WeightedCsr<V>, numColumns: number): WeightedCsr<V>;
export function transposeRows<V extends FloatArray>(matrix: CsrMatrix<V>, numColumns: number): CsrMatrix<V>;
export function transposeRows(
  { rowStart, columns, values }: CsrMatrix<FloatArray>,
  numColumns: number,
): CsrMatrix<FloatArray> {
  const start = new Uint32Array(numColumns + 1);
  for (let e = 0; e < columns.length; e++) start[columns[e] + 1]++;
  for (let j = 0; j < numColumns; j++) start[j + 1] += start[j];
  const next = start.slice(0, numColumns);
  const rows = new Uint32Array(columns.length);
  const moved = values && zerosLike(values, columns.length);
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const place = next[columns[e]]++;
      rows[place] = i;
      if (moved !== undefined && values !== undefined) moved[place] = values[e];
    }
  }
  return { rowStart: start, columns: rows, ...(moved === undefined ? {} : { values: moved }) };
}

/** (A + Aᵀ) / divisor, given A and Aᵀ with ascending columns; the columns of the sum ascend too. */
export function symmetricSum<V extends FloatArray>(
  rows: WeightedCsr<V>,
  transposed: WeightedCsr<V>,
  divisor: number,
): WeightedCsr {
  const rowStart = new Uint32Array(rows.rowStart.length);
  const columns = new Uint32Array(2 * rows.columns.length);
  const values = new Float32Array(columns.length);
  let at = 0;
  for (let i = 0; i + 1 < rowStart.length; i++) {
    const [endOut, endInto] = [rows.rowStart[i + 1], transposed.rowStart[i + 1]];
    let [e, b] = [rows.rowStart[i], transposed.rowStart[i]];
    while (e < endOut || b < endInto) {
      const out = e < endOut ? rows.columns[e] : Infinity;
      const into = b < endInto ? transposed.columns[b] : Infinity;
      columns[at] = Math.min(out, into);
      values[at++] = ((out <= into ? rows.values[e++] : 0) + (into <= out ? transposed.values[b++] : 0)) / divisor;
    }
    rowStart[i + 1] = at;
  }
  return { rowStart, columns: columns.slice(0, at), values: values.slice(0, at) };
}

/** The rows with the given indices, in the given order. */
export function selectRows<V extends FloatArray>(matrix: CsrMatrix<V>, chosen: Uint32Array): CsrMatrix<V>;
export function selectRows(
  { rowStart, columns, values }: CsrMatrix<FloatArray>,
  chosen: Uint32Array,
): CsrMatrix<FloatArray> {
  const start = new Uint32Array(chosen.length + 1);
  for (let at = 0; at < chosen.length; at++) {
    start[at + 1] = start[at] + rowStart[chosen[at] + 1] - rowStart[chosen[at]];
  }
  const kept = new Uint32Array(start[chosen.length]);
  const moved = values && zerosLike(values, kept.length);
  for (let at = 0; at < chosen.length; at++) {
    const [from, to] = [rowStart[chosen[at]], rowStart[chosen[at] + 1]];
    kept.set(columns.subarray(from, to), start[at]);
    if (moved !== undefined && values !== undefined) moved.set(values.subarray(from, to), start[at]);
  }
  return { rowStart: start, columns: kept, ...(moved === undefined ? {} : { values: moved }) };
}

function zerosLike(values: FloatArray, length: number): FloatArray {
  return values.BYTES_PER_ELEMENT === 4 ? new Float32Array(length) : new Float64Array(length);
}

/** y = M·x in float64, where x and y have `width` columns and are stored row by row. Computes four columns at a time. */
export function multiplySparse(
  { numRows, rowStart, columns, values, left, right, diagonal }: ScaledCsr<FloatArray>,
  x: Float64Array,
  width: number,
  y: Float64Array,
): void {
  for (let i = 0; i < numRows; i++) {
    const row = i * width;
    const first = rowStart[i];
    const end = rowStart[i + 1];
    const own = diagonal * (right === undefined ? 1 : right[i]);
    const scale = left === undefined ? 1 : left[i];
    let k = 0;
    for (; k + 3 < width; k += 4) {
      const at = row + k;
      let p = diagonal === 0 ? 0 : own * x[at];
      let q = diagonal === 0 ? 0 : own * x[at + 1];
      let r = diagonal === 0 ? 0 : own * x[at + 2];
      let s = diagonal === 0 ? 0 : own * x[at + 3];
      for (let e = first; e < end; e++) {
        const j = columns[e];
        const weight = (values === undefined ? 1 : values[e]) * (right === undefined ? 1 : right[j]);
        const from = j * width + k;
        p += weight * x[from];
        q += weight * x[from + 1];
        r += weight * x[from + 2];
        s += weight * x[from + 3];
      }
      y[at] = p * scale;
      y[at + 1] = q * scale;
      y[at + 2] = r * scale;
      y[at + 3] = s * scale;
    }
    for (; k < width; k++) {
      let sum = diagonal === 0 ? 0 : own * x[row + k];
      for (let e = first; e < end; e++) {
        const j = columns[e];
        sum += (values === undefined ? 1 : values[e]) * (right === undefined ? 1 : right[j]) * x[j * width + k];
      }
      y[row + k] = sum * scale;
    }
  }
}
