/** Leading left singular vectors of a sparse matrix, in float64 on one thread. */

import type { Rng } from "../../core/rng.js";
import { type CsrMatrix, multiplySparse, type ScaledCsr, transposeRows } from "../csr.js";
import type { Rows } from "../rows.js";
import { leadingEigenvectors } from "./leading-eigenvectors.js";

/** Products of the power iteration that estimates the largest singular value; not tuned. */
const POWER_STEPS = 30;
/** Factor above the estimated largest singular value, which the true one does not exceed; not tuned. */
const MARGIN = 1.05;

/**
 * U·S of the `count` largest singular values of a matrix with `numRows` rows: each row of the matrix along its leading
 * directions. They are eigenvectors of [[0, X], [Xᵀ, 0]], whose eigenvalues are plus and minus the singular values. If
 * the matrix has fewer directions than `count`, the result has fewer columns.
 */
export function leadingSingularVectors(
  matrix: CsrMatrix,
  { numRows, numColumns, count }: { readonly numRows: number; readonly numColumns: number; readonly count: number },
  rng: Rng,
): Rows {
  const both = bipartite(matrix, numRows, numColumns);
  const norm = MARGIN * largestEigenvalue(both, rng);
  const width = Math.min(count, numRows, numColumns);
  if (norm === 0) return { data: new Float64Array(numRows * width), width };
  const values = both.values?.map((value) => value / norm);
  const { data, width: found, values: eigenvalues } = leadingEigenvectors({ ...both, values }, width, rng);
  // the upper half of an eigenvector of length 1 is a singular vector of length √½
  const scales = eigenvalues.map((value) => Math.max(0, value) * norm * Math.SQRT2);
  const scaled = new Float64Array(numRows * found);
  for (let at = 0; at < scaled.length; at++) scaled[at] = scales[at % found] * data[at];
  return { data: scaled, width: found };
}

/** [[0, X], [Xᵀ, 0]]. */
function bipartite(matrix: CsrMatrix, numRows: number, numColumns: number): ScaledCsr<Float64Array> {
  const size = numRows + numColumns;
  const transposed = transposeRows(matrix, numColumns);
  const entries = matrix.columns.length;
  const rowStart = new Uint32Array(size + 1);
  rowStart.set(matrix.rowStart);
  transposed.rowStart.forEach((start, k) => {
    rowStart[numRows + k] = entries + start;
  });
  const columns = new Uint32Array(2 * entries);
  columns.set(matrix.columns.map((column) => column + numRows));
  columns.set(transposed.columns, entries);
  const values = new Float64Array(2 * entries).fill(1);
  if (matrix.values !== undefined) values.set(matrix.values);
  if (transposed.values !== undefined) values.set(transposed.values, entries);
  return { numRows: size, numColumns: size, rowStart, columns, values, diagonal: 0, symmetric: true };
}

function largestEigenvalue(matrix: ScaledCsr<Float64Array>, rng: Rng): number {
  let x = Float64Array.from({ length: matrix.numRows }, () => Math.abs(rng.normal()));
  let y = new Float64Array(x.length);
  let norm = 0;
  for (let step = 0; step < POWER_STEPS; step++) {
    const length = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
    if (length === 0) return 0;
    for (let i = 0; i < x.length; i++) x[i] /= length;
    multiplySparse(matrix, x, 1, y);
    norm = Math.max(norm, Math.sqrt(y.reduce((sum, value) => sum + value * value, 0)));
    [x, y] = [y, x];
  }
  return norm;
}
