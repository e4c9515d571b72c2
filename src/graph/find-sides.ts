/**
 * The two sides of a bipartite graph such as users and items: no node that is the source of an edge of any relation is the
 * target of one. The columns decide, not a colouring of the graph: a tree has a colouring too, and means nothing by it.
 */

import type { EdgeEnds } from "./edge-ends.js";
import type { Multiplex } from "./multiplex.js";

/** The side of a node that has no edge. */
export const NO_SIDE = 2;
/** With one node on a side every pair across is known from the other end. */
const LEAST_ON_A_SIDE = 2;

/** Edges as codes of nodes, one per row. */
interface CodedEdges extends EdgeEnds {
  readonly weight?: Float32Array | Float64Array;
  readonly ids: readonly string[];
}

/**
 * Of each node 0, 1 or `NO_SIDE`; undefined where the graph is not bipartite. Self-loops and weights of zero are no edges.
 * Sources are 0; in an undirected graph the first node that has an edge is, so that exchanging the two columns changes
 * nothing. `place`: of each code its node.
 */
export function findSides(
  { source, target, weight, ids }: CodedEdges,
  place: Uint32Array | undefined,
  directed: boolean,
): Uint8Array | undefined {
  const sides = new Uint8Array(ids.length).fill(NO_SIDE);
  for (let row = 0; row < source.length; row++) {
    if (source[row] === target[row] || (weight !== undefined && Math.fround(weight[row]) === 0)) continue;
    const a = place === undefined ? source[row] : place[source[row]];
    const b = place === undefined ? target[row] : place[target[row]];
    if (sides[a] === 1 || sides[b] === 0) return undefined;
    sides[a] = 0;
    sides[b] = 1;
  }
  const counts = [0, 0, 0];
  for (const side of sides) counts[side]++;
  if (counts[0] < LEAST_ON_A_SIDE || counts[1] < LEAST_ON_A_SIDE) return undefined;
  const exchanged = !directed && sides.find((side) => side !== NO_SIDE) === 1;
  return exchanged ? sides.map((side) => (side === NO_SIDE ? NO_SIDE : 1 - side)) : sides;
}

/** The sides of a graph, unless further edges run against them. */
export function sidesWith(
  { sides, directed }: Pick<Multiplex, "sides" | "directed">,
  further: readonly EdgeEnds[],
): Uint8Array | undefined {
  if (sides === undefined) return undefined;
  for (const { source, target } of further) {
    for (let i = 0; i < source.length; i++) {
      if (source[i] === target[i]) continue;
      const a = sides[source[i]];
      const b = sides[target[i]];
      if (directed ? a === 1 || b === 0 : a === b && a !== NO_SIDE) return undefined;
    }
  }
  return sides;
}
