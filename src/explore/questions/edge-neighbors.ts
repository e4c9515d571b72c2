/** The neighbours of a node by edges, with the relations and weights that link them. */

import type { RelationRows } from "./relation-rows.js";

export interface EdgeNeighbor {
  readonly node: number;
  /** The relations that link the two nodes, in the order of the scene, with the weight of the edge: 1 in relations without weights. */
  readonly links: readonly { readonly relation: number; readonly weight: number }[];
  /** Sum of the weights. */
  readonly weight: number;
}

/** All neighbours of a node in these relations: most relations first, then largest weight, then in the order of the nodes. */
export function edgeNeighbors(relations: readonly RelationRows[], node: number): EdgeNeighbor[] {
  const found = new Map<number, { relation: number; weight: number }[]>();
  for (const { relation, adjacency } of relations) {
    const { rowStart, columns, weights } = adjacency;
    for (let at = rowStart[node]; at < rowStart[node + 1]; at++) {
      const neighbor = columns[at];
      if (neighbor === node) continue;
      const links = found.get(neighbor);
      const link = { relation, weight: weights?.[at] ?? 1 };
      if (links === undefined) found.set(neighbor, [link]);
      else links.push(link);
    }
  }
  const list = [...found].map(([neighbor, links]) => ({
    node: neighbor,
    links,
    weight: links.reduce((sum, link) => sum + link.weight, 0),
  }));
  return list.sort((a, b) => b.links.length - a.links.length || b.weight - a.weight || a.node - b.node);
}
