/**
 * Vectors in the form that a search needs. Both metrics become an inner product of a query row and a candidate row:
 *
 *   cosine      q · x for vectors of length one
 *   euclidean   q · x − ‖x‖² / 2, which has the same order as −‖q − x‖²: rows [x, −‖x‖² / 2] and [q, 1]
 */

import type { Embedding } from "../../../core/embedding.js";

export type Metric = "cosine" | "euclidean";

/** An array that a row is written into, such as the storage of an engine's tensor. */
export type RowTarget = Float32Array | Float64Array | Uint32Array;

/** Vectors by index, each computed when it is read. */
export interface Vectors {
  readonly count: number;
  readonly dim: number;
  copy(index: number, target: RowTarget, at: number): void;
}

/** Width of the rows whose inner product is the score. */
export function rowWidth(metric: Metric, dim: number): number {
  return metric === "cosine" ? dim : dim + 1;
}

export function writeQuery(metric: Metric, vectors: Vectors, index: number, target: RowTarget, at: number): void {
  vectors.copy(index, target, at);
  if (metric === "euclidean") target[at + vectors.dim] = 1;
}

export function writeCandidate(metric: Metric, vectors: Vectors, index: number, target: RowTarget, at: number): void {
  vectors.copy(index, target, at);
  if (metric === "cosine") return;
  let square = 0;
  for (let c = at; c < at + vectors.dim; c++) square += target[c] * target[c];
  target[at + vectors.dim] = -square / 2;
}

/** Vectors stored as consecutive rows of `dim` numbers. */
export function plainVectors(data: Float32Array | Float64Array, dim: number): Vectors {
  return {
    count: data.length / dim,
    dim,
    copy(index, target, at) {
      for (let c = 0, from = index * dim; c < dim; c++) target[at + c] = data[from + c];
    },
  };
}

/** The vectors at these indices. */
export function selectVectors(vectors: Vectors, places: ArrayLike<number>): Vectors {
  return {
    count: places.length,
    dim: vectors.dim,
    copy: (index, target, at) => vectors.copy(places[index], target, at),
  };
}

/** Vectors scaled to length one. */
export interface UnitVectors extends Vectors {
  /** 1 / length of each vector; 0 for a zero vector, which has no direction and stays zero. */
  readonly inverseLengths: Float64Array;
}

/** The vectors of an embedding minus `mean` (default zero), scaled to length one. */
export function unitVectors({ ids, dim, vectors }: Embedding, mean?: ArrayLike<number>): UnitVectors {
  const center = Float64Array.from({ length: dim }, (_, c) => mean?.[c] ?? 0);
  const inverseLengths = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) {
    let [square, scale] = [0, 0];
    for (let c = 0, at = i * dim; c < dim; c++, at++) {
      square += (vectors[at] - center[c]) ** 2;
      scale += vectors[at] ** 2 + center[c] ** 2;
    }
    inverseLengths[i] = square > ROUNDING * scale ? 1 / Math.sqrt(square) : 0;
  }
  return {
    count: ids.length,
    dim,
    inverseLengths,
    copy(index, target, at) {
      const factor = inverseLengths[index];
      for (let c = 0, from = index * dim; c < dim; c++) target[at + c] = (vectors[from + c] - center[c]) * factor;
    },
  };
}

/**
 * If ‖x − mean‖² is below this share of ‖x‖² + ‖mean‖², it is rounding of float32: the vector equals the mean and has no
 * direction.
 */
const ROUNDING = 1e-13;
