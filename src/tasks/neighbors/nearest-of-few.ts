/** The nearest neighbours of a few nodes, by comparing them with all vectors, which are read in slices. */

import { type Embedding, type VectorRows, vectorRows, vectorSlices } from "../../core/embedding.js";
import { meanVector } from "../../numeric/rows.js";
import { type UnitVectors, unitVectors } from "./search/search-vectors.js";

/** A neighbour by its index. */
export interface NeighborIndex {
  readonly node: number;
  readonly cosine: number;
}

/**
 * The `k` nearest neighbours of each of these nodes, which are given by their indices; the same as `nearestNeighbors` with the
 * method `exact`. The time grows with the number of nodes times the number of vectors.
 */
export function nearestOfFew(source: Embedding | VectorRows, nodes: readonly number[], k: number): NeighborIndex[][] {
  const rows = vectorRows(source);
  const mean = meanVector(rows);
  return scanNearest(rows, {
    queries: vectorsOfNodes(rows, nodes, mean),
    mean,
    k,
    isSkipped: (q, node) => node === nodes[q],
  });
}

/** The vectors of these nodes, scaled to length one. */
export function vectorsOfNodes(
  rows: VectorRows,
  nodes: readonly number[],
  mean: Float64Array | undefined,
): UnitVectors {
  const { ids, dim } = rows;
  return unitVectors({ ids: nodes.map((node) => ids[node]), dim, vectors: rows.at(Uint32Array.from(nodes)) }, mean);
}

export interface ScanRequest {
  readonly queries: UnitVectors;
  /** Subtracted from all vectors. */
  readonly mean?: Float64Array;
  readonly k: number;
  /** Whether a node is no neighbour of query `q`. */
  isSkipped(q: number, node: number): boolean;
}

/** The `k` nearest nodes of each query, nearest first. */
export function scanNearest(rows: VectorRows, { queries: chosen, mean, k, isSkipped }: ScanRequest): NeighborIndex[][] {
  const { ids, dim } = rows;
  const queries = Array.from({ length: chosen.count }, (_, q) => {
    const query = new Float64Array(dim);
    chosen.copy(q, query, 0);
    return query;
  });
  const found = queries.map((): NeighborIndex[] => []);
  const other = new Float64Array(dim);
  for (const { first, end, vectors } of vectorSlices(rows)) {
    const unit = unitVectors({ ids: ids.slice(first, end), dim, vectors }, mean);
    for (let node = first; node < end; node++) {
      if (unit.inverseLengths[node - first] === 0) continue;
      unit.copy(node - first, other, 0);
      for (let q = 0; q < queries.length; q++) {
        if (chosen.inverseLengths[q] === 0 || isSkipped(q, node)) continue;
        let cosine = 0;
        for (let c = 0; c < dim; c++) cosine += queries[q][c] * other[c];
        insert(found[q], { node, cosine }, k);
      }
    }
  }
  return found.map((list) =>
    list.map(({ node, cosine }) => ({ node, cosine: Math.fround(Math.max(-1, Math.min(1, cosine))) })),
  );
}

/** Keeps the `k` nearest, nearest first; with equal cosines the earlier node first. */
function insert(list: NeighborIndex[], entry: NeighborIndex, k: number): void {
  if (list.length === k && entry.cosine <= list[k - 1].cosine) return;
  let at = list.length;
  while (at > 0 && list[at - 1].cosine < entry.cosine) at--;
  list.splice(at, 0, entry);
  if (list.length > k) list.pop();
}
