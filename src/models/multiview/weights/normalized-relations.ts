/** Normalised adjacencies of the relations, with edges that may have copies. */

import { type NormalizedOperator, normalizedOperator } from "../../../graph/normalize.js";
import type { GraphInput } from "../../../nn/model.js";
import { EDGES } from "../constants.js";
import { replaceEdges, type SimpleGraph } from "./edge-copies.js";

/** Â of each relation, with the edges of `graphs`. */
export function normalizedRelations(graph: GraphInput, graphs: readonly SimpleGraph[]): NormalizedOperator[] {
  const options = { selfLoop: EDGES.selfLoop, directed: false };
  return replaceEdges(graph.relations, graphs).map((relation) => normalizedOperator(relation, graph.numNodes, options));
}
