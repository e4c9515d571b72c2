/** Groups of nodes, and edges drawn by groups. */

import type { Rng } from "../../../core/rng.js";
import type { PairList } from "../pair-list.js";

/** The nodes of each group, and the group of each node. */
export interface Groups {
  readonly of: Uint32Array;
  readonly members: readonly Uint32Array[];
}

/** Divides the nodes at random into `count` groups whose sizes differ by at most one. */
export function drawGroups(nodes: number, count: number, rng: Rng): Groups {
  const order = new Uint32Array(nodes);
  rng.permutation(order);
  const of = new Uint32Array(nodes);
  order.forEach((node, at) => {
    of[node] = at % count;
  });
  return groupsOf(of, count, order);
}

/** Groups from the group of each node. Members are in the order of `order`, or ascending. */
export function groupsOf(of: Uint32Array, count: number, order: Uint32Array = of.map((_, node) => node)): Groups {
  return { of, members: Array.from({ length: count }, (_, g) => order.filter((node) => of[node] === g)) };
}

/**
 * Exponent that makes the degrees uneven: an endpoint is member ⌊size·u^1.3⌋, where u is uniform, so the most active tenth of
 * a group has 17 % of its endpoints. Not tuned.
 */
const UNEVENNESS = 1.3;

function pickMember(members: Uint32Array, rng: Rng): number {
  return members[Math.floor(members.length * rng.uniform() ** UNEVENNESS)];
}

/**
 * Draws nodes · degree / 2 edges of a relation. The source is any of `everybody`; `candidates` gives the nodes from which its
 * target is drawn. Self-loops are dropped.
 */
export function drawEdges(
  edges: PairList,
  relation: number,
  degree: number,
  everybody: Uint32Array,
  candidates: (source: number) => Uint32Array,
  rng: Rng,
): void {
  for (let left = Math.round((everybody.length * degree) / 2); left > 0; left--) {
    const source = pickMember(everybody, rng);
    const target = pickMember(candidates(source), rng);
    if (source !== target) edges.push(source, target, relation);
  }
}

/** All nodes in a random order: the first nodes have the largest degrees. */
export function shuffledNodes(nodes: number, rng: Rng): Uint32Array {
  const order = new Uint32Array(nodes);
  rng.permutation(order);
  return order;
}
