/** Normalised adjacencies of the relations, with edges that may have copies. */

import { type NormalizedOperator, normalizedOperator } from "../../../graph/normalize.js";
import type { CsrMatrix } from "../../../numeric/csr.js";
import { EDGES } from "../constants.js";
import { edgesOfCopies, type SimpleGraph } from "./edge-copies.js";

/** Â of each graph. */
export function normalizedRelations(graphs: readonly SimpleGraph[]): NormalizedOperator[] {
  return graphs.map((graph) => normalizedEdges(edgesOfCopies(graph), graph.numRows));
}

/** Â of undirected edges. */
export function normalizedEdges(edges: CsrMatrix, numNodes: number): NormalizedOperator {
  return normalizedOperator(edges, numNodes, { selfLoop: EDGES.selfLoop, directed: false });
}
