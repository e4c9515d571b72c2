/**
 * Baselines of link prediction: scores computed from the training graph without training a model.
 *
 * degree product      d_a · d_b
 * common neighbours   |N(a) ∩ N(b)|
 * Adamic–Adar         Σ 1 / ln d_w over the common neighbours w (Adamic, Adar, Social Networks 25(3), 2003)
 * spectral            64 leading eigenvectors of the normalised adjacency; dot product and cosine
 * FastRP              128 random projections, three hops; cosine
 *
 * Neighbours and degrees are counted in the union of all relations; the first three baselines are also computed in the
 * pair's own relation. Directions and weights are ignored. The two baselines of common neighbours are omitted if no pair
 * can have any, as between users and items.
 */

import { once } from "../../core/once.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { isBipartite, joinsDifferentKinds } from "../../graph/node-kinds.js";
import { unionAdjacency } from "../../graph/union.js";
import type { CsrPattern } from "../../numeric/csr.js";
import { fastRpEmbedding } from "./fastrp.js";
import { cosineScorer, dotScorer, type NamedScorer, type PairScorer } from "./pair-scorers.js";
import { SPECTRAL_DIM, spectralEmbedding } from "./spectral-embedding.js";

/** The baselines of a training graph; embeddings are computed when a baseline first needs them. */
export function linkBaselines(training: Multiplex, seed = 1): NamedScorer[] {
  const union = unionAdjacency(training);
  const byRelation = new Map<number, CsrPattern>();
  const relation = (r: number) => {
    let adjacency = byRelation.get(r);
    if (adjacency === undefined) byRelation.set(r, (adjacency = unionAdjacency(training, [training.relations[r]])));
    return adjacency;
  };
  const neighbourhood = (adjacency: (r: number) => CsrPattern, ownRelation: boolean): NamedScorer[] => {
    const degrees: NamedScorer = {
      name: "degree product",
      ownRelation,
      score: (r, pairs) => degreeProducts(adjacency(r), pairs),
    };
    const counting = (name: string, weight: (degree: number) => number): NamedScorer => ({
      name,
      ownRelation,
      score: (r, pairs) => commonNeighbours(adjacency(r), pairs, weight),
    });
    if (neverShareNeighbours(training, ownRelation)) return [degrees];
    return [degrees, counting("common neighbours", () => 1), counting("Adamic–Adar", adamicAdar)];
  };
  const spectral = once(() => spectralEmbedding(union, training.ids, { dim: SPECTRAL_DIM, seed }));
  const fastRp = once(() => fastRpEmbedding(union, training.ids, { seed }));
  return [
    ...neighbourhood(() => union, false),
    ...(training.relations.length > 1 ? neighbourhood(relation, true) : []),
    { name: "spectral, dot", ownRelation: false, score: (r, pairs) => dotScorer(spectral())(r, pairs) },
    { name: "spectral, cosine", ownRelation: false, score: (r, pairs) => cosineScorer(spectral())(r, pairs) },
    { name: "FastRP, cosine", ownRelation: false, score: (r, pairs) => cosineScorer(fastRp())(r, pairs) },
  ];
}

/**
 * Whether no edge's two nodes can have a common neighbour: every relation joins two different kinds of nodes and, for the
 * union of all relations, there are only two kinds.
 */
function neverShareNeighbours({ kinds }: Multiplex, ownRelation: boolean): boolean {
  return kinds !== undefined && (ownRelation ? joinsDifferentKinds(kinds) : isBipartite(kinds));
}

function degreeProducts({ rowStart }: CsrPattern, { source, target }: Parameters<PairScorer>[1]): Float64Array {
  const degree = (node: number) => rowStart[node + 1] - rowStart[node];
  return Float64Array.from(source, (a, i) => degree(a) * degree(target[i]));
}

/** A common neighbour of two nodes has a degree of at least 2, so the logarithm is positive. */
function adamicAdar(degree: number): number {
  return 1 / Math.log(degree);
}

/** Σ weight(d_w) over the common neighbours w of each pair, found by merging two sorted rows. */
function commonNeighbours(
  { rowStart, columns }: CsrPattern,
  { source, target }: Parameters<PairScorer>[1],
  weight: (degree: number) => number,
): Float64Array {
  const weights = Float64Array.from({ length: rowStart.length - 1 }, (_, w) => weight(rowStart[w + 1] - rowStart[w]));
  return Float64Array.from(source, (a, i) => {
    const b = target[i];
    let x = rowStart[a];
    let y = rowStart[b];
    let sum = 0;
    while (x < rowStart[a + 1] && y < rowStart[b + 1]) {
      const difference = columns[x] - columns[y];
      if (difference === 0) sum += weights[columns[x]];
      if (difference <= 0) x++;
      if (difference >= 0) y++;
    }
    return sum;
  });
}
