/**
 * The pairs with the largest Adamic–Adar index over all relations that are not yet edges of one relation: a baseline for
 * predicted links.
 */

import { hasEdge } from "../../graph/edge-ends.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { isBipartite } from "../../graph/node-kinds.js";
import { unionAdjacency } from "../../graph/union.js";
import { BestPairs, type ScoredPair } from "./best-pairs.js";
import { kindsFit } from "./kinds-fit.js";

/** Maximum number of paths of length two that are followed: a few seconds. Not tuned. */
const MAX_PATHS = 2e8;

/**
 * The `count` best pairs, or the best pairs of the node at index `place`. Undefined if there are more than `MAX_PATHS` paths,
 * or if the graph is bipartite: then no pair has common neighbours.
 */
export function bestAdamicAdarPairs(
  graph: Multiplex,
  relation: number,
  count: number,
  place: number | undefined,
): readonly ScoredPair[] | undefined {
  const { numNodes, directed, kinds, relations } = graph;
  if (kinds !== undefined && isBipartite(kinds)) return undefined;
  const { rowStart, columns } = unionAdjacency(graph);
  const degree = (node: number) => rowStart[node + 1] - rowStart[node];
  const [begin, end] = place === undefined ? [0, numNodes] : [place, place + 1];
  let paths = 0;
  for (let e = rowStart[begin]; e < rowStart[end]; e++) paths += degree(columns[e]);
  if (paths > MAX_PATHS) return undefined;
  const weights = Float64Array.from({ length: numNodes }, (_, node) => 1 / Math.log(Math.max(2, degree(node))));
  const fits = kindsFit(graph, relation);
  const best = new BestPairs(count);
  const sums = new Float64Array(numNodes);
  const once = !directed && place === undefined;
  for (let i = begin; i < end; i++) {
    const reached: number[] = [];
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const middle = columns[e];
      for (let f = rowStart[middle]; f < rowStart[middle + 1]; f++) {
        const j = columns[f];
        if (j === i || (once && j < i)) continue;
        if (sums[j] === 0) reached.push(j);
        sums[j] += weights[middle];
      }
    }
    for (const j of reached) {
      if (sums[j] >= best.minScore && !hasEdge(relations[relation], i, j) && fits(i, j)) best.add(i, j, sums[j]);
      sums[j] = 0;
    }
  }
  return best.sorted();
}
