/** The nearest neighbours of one node by cosine, by comparing it with all others. */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { requireCount } from "../../core/validation.js";
import { columnMeans } from "../../numeric/rows.js";
import { findNodes } from "./find-nodes.js";

/** A neighbour: its id, and the cosine of its vector with the vector of the queried node. */
export interface Neighbor {
  readonly node: string;
  readonly cosine: number;
}

/** The `count` nearest neighbours of the node with id `node`. Throws at an unknown id. */
export function neighborsOf(embedding: Embedding, node: string, count = 10): Neighbor[] {
  requireVectors(embedding, "neighbors");
  requireCount(count, "neighbors: count");
  const [place] = findNodes(embedding.ids, [node], "neighbors");
  return nearestNodes(embedding, place, count);
}

/** The embedding with its mean vector subtracted from every vector. */
export function centered({ ids, dim, vectors }: Embedding): Embedding {
  const mean = columnMeans(vectors, dim);
  return { ids, dim, vectors: vectors.map((value, i) => value - mean[i % dim]) };
}

/**
 * The `count` other nodes of largest cosine to the node at index `place`, largest first; equal cosines in the order of the
 * nodes. A node with a zero vector is nobody's neighbour and has no neighbours.
 */
export function nearestNodes({ ids, dim, vectors }: Embedding, place: number, count: number): Neighbor[] {
  const query = Float64Array.from(vectors.subarray(place * dim, (place + 1) * dim));
  const norm = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0));
  if (norm === 0) return [];
  const best: { index: number; cosine: number }[] = [];
  for (let i = 0; i < ids.length; i++) {
    if (i === place) continue;
    let dot = 0;
    let square = 0;
    for (let k = 0, at = i * dim; k < dim; k++, at++) {
      dot += query[k] * vectors[at];
      square += vectors[at] * vectors[at];
    }
    if (square === 0) continue;
    const cosine = Math.max(-1, Math.min(1, dot / (norm * Math.sqrt(square))));
    if (best.length === count && cosine <= best[count - 1].cosine) continue;
    let position = best.length;
    while (position > 0 && best[position - 1].cosine < cosine) position--;
    best.splice(position, 0, { index: i, cosine });
    if (best.length > count) best.pop();
  }
  return best.map(({ index, cosine }) => ({ node: ids[index], cosine }));
}
