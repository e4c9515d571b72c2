/** Fills more columns than there are directions, without new information. */

import type { Rng } from "../../core/rng.js";
import type { Work } from "../../core/work.js";
import { scaledToLength } from "../../numeric/columns.js";
import type { Rows } from "../../numeric/rows.js";

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
    for (let c = 0; c < width; c++) out[i * width + c] = row[c];
  }
  return { data: out, width };
}

/** Work of `rotateInto`. */
export function rotateWork(numRows: number, count: number, width: number): Work {
  return { loops: numRows * count * (width + 4) + 4 * count ** 2 * width };
}

/** `count` random orthonormal rows of `width` ≥ count numbers: Gram–Schmidt, twice for accuracy, on normal numbers. */
export function orthonormalRows(count: number, width: number, rng: Rng): Float64Array[] {
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
