/** The nodes that have an edge in a relation, numbered from 0: a relation as a network without isolated nodes. */

import { MISSING } from "../../engine/ops/index.js";
import type { RelationInput } from "../../nn/model.js";

export interface ConnectedNodes {
  /** Ascending. */
  readonly nodes: Uint32Array;
  /** Number of each node of the graph in this network; MISSING if it has no edge. */
  readonly place: Uint32Array;
  /** The relation with the numbers of this network. */
  readonly relation: RelationInput;
}

export function connectedNodes(relation: RelationInput, numNodes: number): ConnectedNodes {
  const { rowStart, columns } = relation;
  const has = new Uint8Array(numNodes);
  for (let i = 0; i < numNodes; i++) if (rowStart[i + 1] > rowStart[i]) has[i] = 1;
  for (const j of columns) has[j] = 1; // in directed graphs the targets too
  const place = new Uint32Array(numNodes).fill(MISSING);
  const nodes: number[] = [];
  has.forEach((own, i) => {
    if (own === 1) place[i] = nodes.push(i) - 1;
  });
  const start = Uint32Array.from({ length: nodes.length + 1 }, (_, e) =>
    e < nodes.length ? rowStart[nodes[e]] : columns.length,
  );
  return {
    nodes: Uint32Array.from(nodes),
    place,
    relation: { ...relation, rowStart: start, columns: columns.map((j) => place[j]) },
  };
}
