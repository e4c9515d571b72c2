/** Directions that add something to known ones; all are unit columns. */

import { NO_COLUMNS } from "../../../numeric/columns.js";
import { symmetricEigen } from "../../../numeric/eigen/symmetric-eigen.js";
import type { Rows } from "../../../numeric/rows.js";
import { SPECTRAL } from "../constants.js";

/** tanh(2.5·√n·v) of each column v, centred and scaled to unit length: nearly constant within each of two groups. */
export function squashed({ data, width }: Rows<Float32Array>, numNodes: number): Rows<Float32Array> {
  const out = data.map((x) => Math.tanh(SPECTRAL.squashSlope * Math.sqrt(numNodes) * x));
  for (let k = 0; k < width; k++) {
    let sum = 0;
    for (let i = 0; i < numNodes; i++) sum += out[i * width + k];
    let square = 0;
    for (let i = 0; i < numNodes; i++) square += (out[i * width + k] -= sum / numNodes) ** 2;
    if (square === 0) continue;
    for (let i = 0; i < numNodes; i++) out[i * width + k] /= Math.sqrt(square);
  }
  return { data: out, width };
}

/**
 * Leading left singular vectors, at most `max`, of the candidates minus their projection onto the orthonormal columns `known`.
 * Vectors whose squared singular value is at most `share` are dropped.
 */
export function newDirections(
  candidates: Rows<Float32Array>,
  known: Rows<Float32Array>,
  numNodes: number,
  max: number,
  share = SPECTRAL.newShare,
): Rows<Float32Array> {
  const { width } = candidates;
  if (width === 0) return NO_COLUMNS;
  const along = new Float64Array(known.width * width); // products of known columns and candidates
  for (let i = 0; i < numNodes; i++) {
    for (let c = 0; c < known.width; c++) {
      const x = known.data[i * known.width + c];
      for (let k = 0; k < width; k++) along[c * width + k] += x * candidates.data[i * width + k];
    }
  }
  // the rest of a row is computed whenever it is needed: all rows would take twice the memory of the candidates
  const rest = new Float64Array(width);
  const computeRest = (i: number): void => {
    for (let k = 0; k < width; k++) rest[k] = candidates.data[i * width + k];
    for (let c = 0; c < known.width; c++) {
      const x = known.data[i * known.width + c];
      for (let k = 0; k < width; k++) rest[k] -= x * along[c * width + k];
    }
  };
  const gram = new Float64Array(width * width);
  for (let i = 0; i < numNodes; i++) {
    computeRest(i);
    for (let a = 0; a < width; a++) {
      for (let b = a; b < width; b++) gram[a * width + b] += rest[a] * rest[b];
    }
  }
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) gram[a * width + b] = gram[b * width + a];
  const { values, vectors } = symmetricEigen(gram, width);
  const taken = vectors.filter((_, k) => values[k] > share).slice(0, max);
  const scales = taken.map((_, c) => 1 / Math.sqrt(values[c]));
  const data = new Float32Array(numNodes * taken.length);
  for (let i = 0; i < numNodes; i++) {
    computeRest(i);
    for (let c = 0; c < taken.length; c++) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += rest[k] * taken[c][k];
      data[i * taken.length + c] = scales[c] * sum;
    }
  }
  return { data, width: taken.length };
}
