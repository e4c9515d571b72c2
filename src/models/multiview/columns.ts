/** Dense matrices with one row per node, from which the vectors are assembled. */

import type { Rng } from "../../core/rng.js";
import type { Work } from "../../core/work.js";
import type { FloatArray, Rows } from "../../numeric/rows.js";

/**
 * The columns mapped into `width` ≥ count columns by a random isometry, scaled so that the root mean square length of a row
 * is `length`. Inner products of rows keep their proportions. Every output column mixes all directions by their variance,
 * so a probe that standardises its inputs does not blow weak directions up to the size of strong ones.
 */
export function rotateInto(columns: Rows<Float32Array>, width: number, length: number, rng: Rng): Rows<Float32Array> {
  const { data, width: count } = scaledToLength(columns, length);
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
  return { data: out, width };
}

/** Work of `rotateInto`. */
export function rotateWork(numRows: number, count: number, width: number): Work {
  return { loops: numRows * count * (width + 4) + 4 * count ** 2 * width };
}

/** Scaled so that the root mean square length of a row is `length`. */
export function scaledToLength({ data, width }: Rows<Float32Array>, length: number): Rows<Float32Array> {
  let square = 0;
  for (const x of data) square += x * x;
  const factor = square === 0 ? 0 : (length * Math.sqrt(data.length / width)) / Math.sqrt(square);
  return { data: data.map((x) => factor * x), width };
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
  for (let i = 0; i < numRows; i++) {
    chosen.forEach((k, c) => {
      out[i * chosen.length + c] = data[i * width + k];
    });
  }
  return { data: out, width: chosen.length };
}

/** Several matrices of `numRows` rows side by side. */
export function joinColumns(numRows: number, parts: readonly Rows<Float32Array>[]): Rows<Float32Array> {
  const width = parts.reduce((sum, part) => sum + part.width, 0);
  const data = new Float32Array(numRows * width);
  for (let i = 0; i < numRows; i++) {
    let at = i * width;
    for (const part of parts) {
      data.set(part.data.subarray(i * part.width, (i + 1) * part.width), at);
      at += part.width;
    }
  }
  return { data, width };
}
