/** Nearest nodes of an embedding by cosine. */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { InputError, nearestName } from "../../core/errors.js";
import { requireCount, valueText } from "../../core/validation.js";
import { columnMeans } from "../../numeric/rows.js";

/** A node, and the cosine of its vector with the one asked for. */
export interface Neighbor {
  readonly node: string;
  readonly cosine: number;
}

/** Ids compared letter by letter with an unknown one, at most. */
const MAX_COMPARED = 20_000;

/** The places of nodes by their ids; fails at an unknown one, with an id like it. */
export function findNodes(ids: readonly string[], nodes: readonly string[], where: string): number[] {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    throw new InputError(`${where}: ${valueText(node)} is no id; expected a string, as of String(id).`);
  }
  const wanted = new Map(nodes.map((node) => [node, -1]));
  ids.forEach((id, i) => {
    if (wanted.has(id)) wanted.set(id, i);
  });
  return nodes.map((node) => {
    const place = wanted.get(node) ?? -1;
    if (place >= 0) return place;
    const like = similarId(ids, node);
    const advice =
      like === undefined ? `ids look like ${JSON.stringify(ids[0])}` : `did you mean ${JSON.stringify(like)}?`;
    throw new InputError(`${where}: no node ${JSON.stringify(node)} among ${ids.length}; ${advice}`);
  });
}

/** An id that differs in case, or begins with the word, or is a few letters away; looks at a bounded number of the last. */
export function similarId(ids: readonly string[], word: string): string | undefined {
  const lower = word.toLowerCase();
  let begins: string | undefined;
  const close: string[] = [];
  for (const id of ids) {
    if (Math.abs(id.length - word.length) <= 2) {
      if (id.toLowerCase() === lower) return id;
      if (close.length < MAX_COMPARED) close.push(id);
      else if (id[0]?.toLowerCase() === lower[0] && close.length < 2 * MAX_COMPARED) close.push(id);
    }
    if (begins === undefined && lower.length >= 2 && id.length > word.length && id.toLowerCase().startsWith(lower)) {
      begins = id;
    }
  }
  return begins ?? nearestName(word, close);
}

/** The nodes of largest cosine to a node, by its id. */
export function neighborsOf(embedding: Embedding, node: string, count = 10): Neighbor[] {
  requireVectors(embedding, "neighbors");
  requireCount(count, "neighbors: count");
  const [place] = findNodes(embedding.ids, [node], "neighbors");
  return nearestNodes(embedding, place, count);
}

/** The same nodes with the mean vector subtracted. */
export function centered({ ids, dim, vectors }: Embedding): Embedding {
  const mean = columnMeans(vectors, dim);
  return { ids, dim, vectors: vectors.map((value, i) => value - mean[i % dim]) };
}

/**
 * The `count` other nodes of largest cosine to the node at `place`, largest first, equal ones in their order. A vector
 * of zeros is left out; for a node with such a vector the list is empty.
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
