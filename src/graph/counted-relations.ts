/**
 * Weights of edges as copies: an edge that weighs more stands several times in its rows. The median weight of a relation makes
 * four copies; none makes less than one, or more than sixteen, lest a long tail of weights leave the other edges unseen.
 * In very large graphs, whose copies would not fit into memory, the median makes one, and the heaviest edges four. Copies
 * that are the same of every edge tell nothing, and are left away.
 */

import { symmetricSum, transposeRows } from "../numeric/csr.js";
import type { Multiplex, Relation } from "./multiplex.js";
import type { CsrMatrix, NormalizedOperator, WeightedMatrix } from "./normalize.js";
import { undirectedRelations } from "./union.js";

const COPIES_OF_MEDIAN = 4;
/** Copies of the heaviest edge, beside those of the median. */
const MAX_COPIES = 4;
/** Entries of all relations of a graph that is very large. */
const MANY_ENTRIES = 2 ** 24;
/** Bytes for each entry and copy of the median that are held at once where weights are read: measured, 114 for four. */
const BYTES_PER_COPY = 30;

type Relations = Pick<Multiplex, "numNodes" | "directed" | "relations">;

/** Whether there is more in the weights of a relation than that an edge is there. */
export function hasWeights<T extends Pick<Relation, "values">>(
  relation: T,
): relation is T & Pick<WeightedMatrix, "values"> {
  const { values } = relation;
  return values?.some((weight) => weight !== values[0]) ?? false;
}

/** Entries of relations read in both directions. */
function countEntries({ directed }: Relations, relations: readonly Relation[]): number {
  return relations.reduce((sum, { columns }) => sum + columns.length, 0) * (directed ? 2 : 1);
}

/** Copies of an edge of median weight in this graph. */
function copiesOfMedian(graph: Relations): number {
  return countEntries(graph, graph.relations) > MANY_ENTRIES ? 1 : COPIES_OF_MEDIAN;
}

/** For each relation with weights, copies of an edge of median weight. */
export function copiesByWeight(graph: Relations): (number | undefined)[] {
  const ordinary = copiesOfMedian(graph);
  return graph.relations.map((relation) => (hasWeights(relation) ? ordinary : undefined));
}

/** Memory that the copies take beside the graph, at most and about. */
export function bytesOfCopies(graph: Relations): number {
  return BYTES_PER_COPY * copiesOfMedian(graph) * countEntries(graph, graph.relations.filter(hasWeights));
}

interface CountedRelation extends NormalizedOperator {
  /** Copies of an edge of median weight; absent where edges stand once. */
  readonly ordinary?: number;
}

/** `plain`, the relations as undirected graphs, with edges repeated by weight where `weighted` says so. */
export function countedRelations(
  graph: Relations,
  weighted: ArrayLike<number | boolean>,
  plain = undirectedRelations(graph),
): CountedRelation[] {
  const { relations } = graph;
  const ordinary = copiesOfMedian(graph);
  return plain.map((own, d) => {
    const relation = relations[d];
    if (!weighted[d] || !hasWeights(relation)) return own;
    const counted = repeated(undirected(graph, relation), graph.numNodes, ordinary);
    return counted === undefined ? own : { ...own, ...counted, ordinary };
  });
}

/** `plain`, with weights as values where there is more in them than that an edge is there. */
export function weighedRelations(graph: Relations, plain: readonly CsrMatrix[]): CsrMatrix[] {
  return graph.relations.map((relation, d) => (hasWeights(relation) ? undirected(graph, relation) : plain[d]));
}

/** Of a directed relation (A + Aᵀ)/2, whose weights are no larger than those of A. */
function undirected({ numNodes, directed }: Relations, relation: WeightedMatrix): WeightedMatrix {
  return directed ? symmetricSum(relation, transposeRows(relation, numNodes), 2) : relation;
}

/** Every entry as often as its weight says, the median one `ordinary` times; undefined if that is the same for all. */
function repeated(
  { rowStart, columns, values: weights }: WeightedMatrix,
  numNodes: number,
  ordinary: number,
): CsrMatrix | undefined {
  const median = weights.slice().sort()[weights.length >> 1];
  const copies = Uint8Array.from(weights, (weight) =>
    Math.min(MAX_COPIES * ordinary, Math.max(1, Math.round((ordinary * weight) / median))),
  );
  if (copies.every((count) => count === copies[0])) return undefined;
  const start = new Uint32Array(numNodes + 1);
  const entries = new Uint32Array(copies.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (let i = 0; i < numNodes; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) entries.fill(columns[e], at, (at += copies[e]));
    start[i + 1] = at;
  }
  return { rowStart: start, columns: entries };
}
