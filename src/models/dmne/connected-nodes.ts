/** The nodes that have an edge in a relation, numbered among themselves: relations as networks with nodes of their own. */

import { MISSING } from "../../engine/ops/index.js";
import type { RelationInput } from "../../nn/model.js";

export interface OwnNodes {
  /** Ascending. */
  readonly nodes: Uint32Array;
  /** Number of each node of the graph among its own; MISSING for those that are not. */
  readonly place: Uint32Array;
  /** The relation over its own nodes. */
  readonly relation: RelationInput;
}

export function ownNodes(relation: RelationInput, numNodes: number): OwnNodes {
  const { rowStart, columns } = relation;
  const has = new Uint8Array(numNodes);
  for (let i = 0; i < numNodes; i++) if (rowStart[i + 1] > rowStart[i]) has[i] = 1;
  for (const j of columns) has[j] = 1; // of directed graphs, the ends too
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
