/**
 * What a link prediction must beat: scores that need no training, from the training graph alone.
 *
 * degree product      d_a · d_b
 * common neighbours   |N(a) ∩ N(b)|
 * Adamic–Adar         Σ 1 / ln d_w over the common neighbours w (Adamic, Adar, Social Networks 25(3), 2003)
 * spectral            64 leading eigenvectors of the normalised adjacency; dot product and cosine
 * FastRP              128 random projections, three hops; cosine
 *
 * Neighbours and degrees are those of the union of all relations, or for the first three also of the pair's own relation;
 * direction and weight do not count. Common neighbours are not counted where no pair can have any: a user and an item.
 */

import { once } from "../../core/once.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { isBipartite, joinsUnlike } from "../../graph/node-kinds.js";
import type { CsrMatrix } from "../../graph/normalize.js";
import { unionAdjacency } from "../../graph/union.js";
import { fastRpEmbedding } from "./fastrp.js";
import { cosineScorer, dotScorer, type NamedScorer, type PairScorer } from "./link-prediction.js";
import { SPECTRAL_DIM, spectralEmbedding } from "./spectral-embedding.js";

/** The baselines of a training graph; what they share is computed when first used. */
export function linkBaselines(training: Multiplex, seed = 1): NamedScorer[] {
  const union = unionAdjacency(training);
  const own = new Map<number, CsrMatrix>();
  const relation = (r: number) => {
    let adjacency = own.get(r);
    if (adjacency === undefined) own.set(r, (adjacency = unionAdjacency(training, [training.relations[r]])));
    return adjacency;
  };
  const neighbourhood = (adjacency: (r: number) => CsrMatrix, ownRelation: boolean): NamedScorer[] => {
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
    if (haveNoneInCommon(training, ownRelation)) return [degrees];
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

/** Whether every relation joins two kinds of nodes, and in the union of all there are no more than these two. */
function haveNoneInCommon({ kinds }: Multiplex, ownRelation: boolean): boolean {
  return kinds !== undefined && (ownRelation ? joinsUnlike(kinds) : isBipartite(kinds));
}

function degreeProducts({ rowStart }: CsrMatrix, { source, target }: Parameters<PairScorer>[1]): Float64Array {
  const degree = (node: number) => rowStart[node + 1] - rowStart[node];
  return Float64Array.from(source, (a, i) => degree(a) * degree(target[i]));
}

/** A common neighbour has at least the pair for neighbours, so the logarithm is above zero. */
function adamicAdar(degree: number): number {
  return 1 / Math.log(degree);
}

/** Σ weight(d_w) over the common neighbours w of each pair, by merging two ascending rows. */
function commonNeighbours(
  { rowStart, columns }: CsrMatrix,
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
