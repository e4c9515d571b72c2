/** Vectors of some nodes in one array: those of a sample and of its neighbours, which need less memory than all. */

import { type Embedding, isVectorRows, type VectorRows, vectorRows } from "../../core/embedding.js";
import type { CsrPattern } from "../../numeric/csr.js";

export interface PickedVectors {
  /** Rows of vectors. */
  readonly data: Float32Array;
  /** The row of each picked node; undefined if all nodes are picked, in their order. */
  readonly place?: Uint32Array;
}

/** The vectors of all nodes. An embedding is not copied. */
export function allVectors(source: Embedding | VectorRows): PickedVectors {
  return { data: vectorRows(source).range(0, source.ids.length) };
}

/** The vectors of these nodes and of all their neighbours. An embedding is not copied. */
export function vectorsAround(
  source: Embedding | VectorRows,
  nodes: readonly number[],
  relations: readonly CsrPattern[],
): PickedVectors {
  if (!isVectorRows(source)) return allVectors(source);
  const place = new Uint32Array(source.ids.length);
  for (const node of nodes) {
    place[node] = 1;
    for (const { rowStart, columns } of relations) {
      for (let e = rowStart[node]; e < rowStart[node + 1]; e++) place[columns[e]] = 1;
    }
  }
  const picked = Uint32Array.from({ length: place.reduce((count, mark) => count + mark, 0) });
  for (let node = 0, at = 0; node < place.length; node++) {
    if (place[node] === 0) continue;
    picked[at] = node;
    place[node] = at++;
  }
  return { data: source.at(picked), place };
}
