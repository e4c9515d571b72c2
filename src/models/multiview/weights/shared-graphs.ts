/**
 * The graphs that the preparation reads, in one copy in the memory of each machine. Graphs that have the arrays of a relation
 * itself are not copied: those arrays are in this memory already.
 */

import type { Sharing } from "../../../core/sharing.js";
import { countedRelations, hasWeights } from "../../../graph/counted-relations.js";
import type { NormalizedOperator } from "../../../graph/normalize.js";
import { undirectedRelations, undirectedUnion } from "../../../graph/union.js";
import type { GraphInput } from "../../../nn/model.js";
import type { CsrMatrix } from "../../../numeric/csr.js";
import { edgesOfCopies, type SimpleGraph, unionOfCopies } from "./edge-copies.js";

/** Each relation as a simple graph. */
export async function sharedRelations(graph: GraphInput, sharing: Sharing): Promise<NormalizedOperator[]> {
  if (!graph.directed) return undirectedRelations(graph);
  const found: NormalizedOperator[] = [];
  for (const relation of graph.relations) {
    found.push(await sharing.once(() => undirectedRelations({ ...graph, relations: [relation] })[0]));
  }
  return found;
}

/** The relations with copies of edges by weight; a relation whose weights make no copies is the same object as in `unweighted`. */
export async function sharedCopies(
  graph: GraphInput,
  unweighted: readonly NormalizedOperator[],
  sharing: Sharing,
): Promise<SimpleGraph[]> {
  const found: SimpleGraph[] = [];
  for (const [d, relation] of graph.relations.entries()) {
    const counted = hasWeights(relation) ? await sharing.once(() => copiesOf(graph, unweighted, d)) : undefined;
    found.push(counted ?? unweighted[d]);
  }
  return found;
}

/** Relation d with copies; undefined if every edge has as many. */
function copiesOf(graph: GraphInput, unweighted: readonly NormalizedOperator[], d: number): SimpleGraph | undefined {
  const isCounted = unweighted.map((_, other) => other === d);
  const counted = countedRelations(graph, isCounted, [...unweighted])[d];
  return counted === unweighted[d] ? undefined : counted;
}

/** All relations as one graph; `relations` have copies of edges if `hasCopies`. */
export async function sharedUnion(
  graph: GraphInput,
  relations: readonly SimpleGraph[],
  hasCopies: boolean,
  sharing: Sharing,
): Promise<SimpleGraph> {
  if (hasCopies) return sharing.once(() => unionOfCopies(relations));
  const isRelation = relations.length === 1 && !graph.directed;
  return isRelation ? undirectedUnion(graph) : sharing.once(() => undirectedUnion(graph));
}

/** The edges of each graph without copies. */
export async function sharedEdges(graphs: readonly SimpleGraph[], sharing: Sharing): Promise<CsrMatrix[]> {
  const found: CsrMatrix[] = [];
  for (const graph of graphs) {
    const hasCopies = graph.ordinary !== undefined;
    found.push(hasCopies ? await sharing.once(() => edgesOfCopies(graph)) : edgesOfCopies(graph));
  }
  return found;
}
