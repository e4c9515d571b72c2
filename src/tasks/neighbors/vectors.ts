/**
 * Vectors as a search reads them. Both metrics become an inner product of a query row and a candidate row:
 *
 *   cosine      q · x of vectors of length one
 *   euclidean   q · x − ‖x‖² / 2, which orders candidates as −‖q − x‖² does: rows [x, −‖x‖² / 2] and [q, 1]
 */

import type { Embedding } from "../../core/embedding.js";

export type Metric = "cosine" | "euclidean";

/** Where rows are written: the storage of an engine's tensor. */
export type RowTarget = Float32Array | Float64Array | Uint32Array;

/** Numbered vectors that are computed when they are read. */
export interface Vectors {
  readonly count: number;
  readonly dim: number;
  copy(index: number, target: RowTarget, at: number): void;
}

/** Numbers of a row of the inner product. */
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

/** Rows of numbers as they are. */
export function plainVectors(data: Float32Array | Float64Array, dim: number): Vectors {
  return {
    count: data.length / dim,
    dim,
    copy(index, target, at) {
      for (let c = 0, from = index * dim; c < dim; c++) target[at + c] = data[from + c];
    },
  };
}

/** The chosen ones of other vectors. */
export function selectVectors(vectors: Vectors, places: ArrayLike<number>): Vectors {
  return {
    count: places.length,
    dim: vectors.dim,
    copy: (index, target, at) => vectors.copy(places[index], target, at),
  };
}

/** Vectors of length one, less a mean where one is given. */
export interface UnitVectors extends Vectors {
  /** 1 / length of each vector; 0 for a vector of zeros, which has no direction and stays zero. */
  readonly inverseLengths: Float64Array;
}

/** The directions of the vectors of an embedding, seen from `mean`. */
export function unitVectors({ ids, dim, vectors }: Embedding, mean?: ArrayLike<number>): UnitVectors {
  const center = Float64Array.from({ length: dim }, (_, c) => mean?.[c] ?? 0);
  const inverseLengths = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) {
    let [square, whole] = [0, 0];
    for (let c = 0, at = i * dim; c < dim; c++, at++) {
      square += (vectors[at] - center[c]) ** 2;
      whole += vectors[at] ** 2 + center[c] ** 2;
    }
    inverseLengths[i] = square > ROUNDING * whole ? 1 / Math.sqrt(square) : 0;
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

/** A squared length below this share of the squares it was computed from is rounding of float32: the vector is the mean. */
const ROUNDING = 1e-13;
