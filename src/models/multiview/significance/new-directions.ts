/** Directions that add something to known ones; all are unit columns. */

import { symmetricEigen } from "../../../numeric/symmetric-eigen.js";
import type { Columns } from "../columns.js";

/** Slope of the tanh, for entries of a unit vector times √n, which have root mean square 1. Not tuned. */
const SQUASH = 2.5;
/** Minimum share of the squared length of a direction outside the known ones, for the direction to be new. Not tuned. */
export const NEW_SHARE = 0.25;
const NO_COLUMNS: Columns = { data: new Float32Array(0), count: 0 };

/** tanh(2.5·√n·v) of each column v, centred and scaled to unit length: nearly constant within each of two groups. */
export function squashed({ data, count }: Columns, numNodes: number): Columns {
  const out = data.map((x) => Math.tanh(SQUASH * Math.sqrt(numNodes) * x));
  for (let k = 0; k < count; k++) {
    let sum = 0;
    for (let i = 0; i < numNodes; i++) sum += out[i * count + k];
    let square = 0;
    for (let i = 0; i < numNodes; i++) square += (out[i * count + k] -= sum / numNodes) ** 2;
    if (square === 0) continue;
    for (let i = 0; i < numNodes; i++) out[i * count + k] /= Math.sqrt(square);
  }
  return { data: out, count };
}

/**
 * Leading left singular vectors, at most `max`, of the candidates minus their projection onto the orthonormal columns `known`.
 * Vectors whose squared singular value is at most `share` are dropped.
 */
export function newDirections(
  candidates: Columns,
  known: Columns,
  numNodes: number,
  max: number,
  share = NEW_SHARE,
): Columns {
  const { count } = candidates;
  if (count === 0) return NO_COLUMNS;
  const rest = Float64Array.from(candidates.data);
  for (let c = 0; c < known.count; c++) {
    const along = new Float64Array(count);
    for (let i = 0; i < numNodes; i++) {
      const x = known.data[i * known.count + c];
      for (let k = 0; k < count; k++) along[k] += x * candidates.data[i * count + k];
    }
    for (let i = 0; i < numNodes; i++) {
      const x = known.data[i * known.count + c];
      for (let k = 0; k < count; k++) rest[i * count + k] -= x * along[k];
    }
  }
  const gram = new Float64Array(count * count);
  for (let i = 0; i < numNodes; i++) {
    for (let a = 0; a < count; a++) {
      const x = rest[i * count + a];
      for (let b = a; b < count; b++) gram[a * count + b] += x * rest[i * count + b];
    }
  }
  for (let a = 0; a < count; a++) for (let b = 0; b < a; b++) gram[a * count + b] = gram[b * count + a];
  const { values, vectors } = symmetricEigen(gram, count);
  const taken = vectors.filter((_, k) => values[k] > share).slice(0, max);
  const data = new Float32Array(numNodes * taken.length);
  taken.forEach((vector, c) => {
    const scale = 1 / Math.sqrt(values[c]);
    for (let i = 0; i < numNodes; i++) {
      let sum = 0;
      for (let k = 0; k < count; k++) sum += rest[i * count + k] * vector[k];
      data[i * taken.length + c] = scale * sum;
    }
  });
  return { data, count: taken.length };
}
