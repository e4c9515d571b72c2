/** The neighbours of a node by edges, with the relations and weights that link them. */

import type { Scene } from "../scene/scene.js";
import { nodeName } from "./node-names.js";
import { directionAt, type EdgeDirection, type RelationRows } from "./relation-rows.js";

/** A relation that links two nodes. */
export interface EdgeLink {
  readonly relation: number;
  /** 1 in relations without weights; the sum of both directions. */
  readonly weight: number;
  /** Undefined in undirected graphs. */
  readonly direction?: EdgeDirection;
}

export interface EdgeNeighbor {
  readonly node: number;
  /** The relations that link the two nodes, in the order of the scene. */
  readonly links: readonly EdgeLink[];
  /** Sum of the weights. */
  readonly weight: number;
}

/** All neighbours of a node in these relations: largest weight first, equal weights by name. Without weights this is most relations first. */
export function edgeNeighbors(
  scene: Pick<Scene, "ids" | "names">,
  relations: readonly RelationRows[],
  node: number,
): EdgeNeighbor[] {
  const found = new Map<number, EdgeLink[]>();
  for (const { relation, adjacency } of relations) {
    const { rowStart, columns, weights } = adjacency;
    for (let at = rowStart[node]; at < rowStart[node + 1]; at++) {
      const neighbor = columns[at];
      if (neighbor === node) continue;
      const links = found.get(neighbor);
      const direction = directionAt(adjacency, at);
      const link: EdgeLink = { relation, weight: weights?.[at] ?? 1, ...(direction && { direction }) };
      if (links === undefined) found.set(neighbor, [link]);
      else links.push(link);
    }
  }
  const list = [...found].map(([neighbor, links]) => ({
    node: neighbor,
    links,
    weight: links.reduce((sum, link) => sum + link.weight, 0),
  }));
  const names = new Intl.Collator("en", { numeric: true });
  const byName = (a: number, b: number) => names.compare(nodeName(scene, a), nodeName(scene, b)) || a - b;
  return list.sort((a, b) => b.weight - a.weight || byName(a.node, b.node));
}

/** The order of `edgeNeighbors`, in words. */
export function neighborOrder(relations: readonly RelationRows[]): string {
  if (relations.some(({ adjacency }) => adjacency.weights !== undefined)) return "largest weight first";
  return relations.length > 1 ? "most relations first, then by name" : "by name";
}
