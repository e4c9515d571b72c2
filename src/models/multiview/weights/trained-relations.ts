/** The relations as the training reads them, with edges that may have copies. */

import { type NormalizedOperator, normalizedOperator } from "../../../graph/normalize.js";
import type { CsrMatrix } from "../../../numeric/csr.js";
import { EDGES } from "../constants.js";
import type { TrainedRelation } from "../preparation.js";
import { edgesOfCopies, type SimpleGraph } from "./edge-copies.js";

export function trainedRelations(graphs: readonly SimpleGraph[]): TrainedRelation[] {
  return graphs.map((graph) => trainedRelation(graph, edgesOfCopies(graph)));
}

/** `edges`: the edges of the graph without copies. */
export function trainedRelation({ rowStart, columns }: SimpleGraph, edges: CsrMatrix): TrainedRelation {
  return { drawn: { rowStart, columns }, edges };
}

/** Â of undirected edges. */
export function normalizedEdges(edges: CsrMatrix, numNodes: number): NormalizedOperator {
  return normalizedOperator(edges, numNodes, { selfLoop: EDGES.selfLoop, directed: false });
}
