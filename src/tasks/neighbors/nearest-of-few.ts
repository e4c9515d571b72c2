/** The nearest neighbours of a few nodes, by comparing them with all vectors, which are read in slices. */

import { type Embedding, type VectorRows, vectorRows, vectorSlices } from "../../core/embedding.js";
import { meanVector } from "../../numeric/rows.js";
import { unitVectors } from "./search/search-vectors.js";

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
  const { ids, dim } = rows;
  const mean = meanVector(rows);
  const places = Uint32Array.from(nodes);
  const chosen = unitVectors({ ids: nodes.map((node) => ids[node]), dim, vectors: rows.at(places) }, mean);
  const queries = nodes.map((_, q) => {
    const query = new Float64Array(dim);
    chosen.copy(q, query, 0);
    return query;
  });
  const found = nodes.map((): NeighborIndex[] => []);
  const other = new Float64Array(dim);
  for (const { first, end, vectors } of vectorSlices(rows)) {
    const unit = unitVectors({ ids: ids.slice(first, end), dim, vectors }, mean);
    for (let node = first; node < end; node++) {
      if (unit.inverseLengths[node - first] === 0) continue;
      unit.copy(node - first, other, 0);
      for (let q = 0; q < nodes.length; q++) {
        if (node === nodes[q] || chosen.inverseLengths[q] === 0) continue;
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
