/** Columns of numbers per node, n × k by rows, on their way into vectors. */

import type { Rng } from "../../core/rng.js";
import type { Work } from "../../core/work.js";

export interface Columns {
  readonly data: Float32Array;
  readonly count: number;
}

/** The same in numbers of any kind. */
interface AnyColumns {
  readonly data: ArrayLike<number>;
  readonly count: number;
}

/**
 * The columns spread over `width` ≥ count of them by a random isometry, and scaled so that the mean square of a row is `length`².
 * Inner products of rows are kept up to that scale; a probe that standardises its columns sees every direction as often as
 * width/count says, with its own variance, instead of all directions alike.
 */
export function spread(columns: Columns, width: number, length: number, rng: Rng): Columns {
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

/** Work of `spread`. */
export function spreadWork(numRows: number, count: number, width: number): Work {
  return { loops: numRows * count * (width + 4) + 4 * count ** 2 * width };
}

/** Scaled so that the mean square of a row is `length`². */
export function scaledToLength({ data, count }: Columns, length: number): Columns {
  let square = 0;
  for (const x of data) square += x * x;
  const factor = square === 0 ? 0 : (length * Math.sqrt(data.length / count)) / Math.sqrt(square);
  return { data: data.map((x) => factor * x), count };
}

/** `count` orthonormal rows of `width` ≥ count numbers: Gram–Schmidt, twice, on normal ones. */
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

/** The first of them, at most `most`. */
export function leadingColumns(columns: AnyColumns, most: number): Columns {
  return selectColumns(
    columns,
    Array.from({ length: Math.min(most, columns.count) }, (_, k) => k),
  );
}

export function lastColumns(columns: Columns, most: number): Columns {
  const count = Math.min(most, columns.count);
  return selectColumns(
    columns,
    Array.from({ length: count }, (_, k) => columns.count - count + k),
  );
}

/** Some of the columns, in the order given. */
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

/** All of them side by side; every part has as many rows. */
export function besides(numRows: number, parts: readonly Columns[]): Columns {
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
