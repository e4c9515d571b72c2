/** Dense matrices with one row per node, from which the vectors are assembled. */

import type { Rng } from "../../core/rng.js";
import type { Work } from "../../core/work.js";

export interface Columns {
  readonly data: Float32Array;
  readonly count: number;
}

/** Like Columns, with numbers of any array type. */
interface AnyColumns {
  readonly data: ArrayLike<number>;
  readonly count: number;
}

/**
 * The columns mapped into `width` ≥ count columns by a random isometry, scaled so that the root mean square length of a row
 * is `length`. Inner products of rows keep their proportions. Every output column mixes all directions by their variance,
 * so a probe that standardises its inputs does not blow weak directions up to the size of strong ones.
 */
export function rotateInto(columns: Columns, width: number, length: number, rng: Rng): Columns {
  const { data, count } = scaledToLength(columns, length);
  const numRows = count === 0 ? 0 : data.length / count;
  const basis = orthonormalRows(count, width, rng);
  const out = new Float32Array(numRows * width);
  const row = new Float64Array(width);
  for (let i = 0; i < numRows; i++) {
    row.fill(0);
    for (let k = 0; k < count; k++) {
      const x = data[i * count + k];
      const direction = basis[k];
      for (let c = 0; c < width; c++) row[c] += x * direction[c];
    }
    out.set(row, i * width);
  }
  return { data: out, count: width };
}

/** Work of `rotateInto`. */
export function rotateWork(numRows: number, count: number, width: number): Work {
  return { loops: numRows * count * (width + 4) + 4 * count ** 2 * width };
}

/** Scaled so that the root mean square length of a row is `length`. */
export function scaledToLength({ data, count }: Columns, length: number): Columns {
  let square = 0;
  for (const x of data) square += x * x;
  const factor = square === 0 ? 0 : (length * Math.sqrt(data.length / count)) / Math.sqrt(square);
  return { data: data.map((x) => factor * x), count };
}

/** `count` random orthonormal rows of `width` ≥ count numbers: Gram–Schmidt, twice for accuracy, on normal numbers. */
function orthonormalRows(count: number, width: number, rng: Rng): Float64Array[] {
  const rows: Float64Array[] = [];
  for (let k = 0; k < count; k++) {
    const row = Float64Array.from({ length: width }, () => rng.normal());
    for (let pass = 0; pass < 2; pass++) {
      for (const other of rows) {
        const along = product(row, other);
        for (let c = 0; c < width; c++) row[c] -= along * other[c];
      }
      const length = Math.sqrt(product(row, row));
      for (let c = 0; c < width; c++) row[c] /= length;
    }
    rows.push(row);
  }
  return rows;
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}

/** The first columns, at most `max`. */
export function leadingColumns(columns: AnyColumns, max: number): Columns {
  return selectColumns(
    columns,
    Array.from({ length: Math.min(max, columns.count) }, (_, k) => k),
  );
}

/** The last columns, at most `max`. */
export function lastColumns(columns: Columns, max: number): Columns {
  const count = Math.min(max, columns.count);
  return selectColumns(
    columns,
    Array.from({ length: count }, (_, k) => columns.count - count + k),
  );
}

/** The chosen columns, in the order of `chosen`. */
export function selectColumns({ data, count }: AnyColumns, chosen: readonly number[]): Columns {
  const numRows = count === 0 ? 0 : data.length / count;
  const out = new Float32Array(numRows * chosen.length);
  for (let i = 0; i < numRows; i++) {
    chosen.forEach((k, c) => {
      out[i * chosen.length + c] = data[i * count + k];
    });
  }
  return { data: out, count: chosen.length };
}

/** Several matrices of `numRows` rows side by side. */
export function joinColumns(numRows: number, parts: readonly Columns[]): Columns {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const data = new Float32Array(numRows * count);
  for (let i = 0; i < numRows; i++) {
    let at = i * count;
    for (const part of parts) {
      data.set(part.data.subarray(i * part.count, (i + 1) * part.count), at);
      at += part.count;
    }
  }
  return { data, count };
}
