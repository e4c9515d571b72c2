/**
 * Edge weights as copies: a heavier edge is listed several times in its rows. An edge with the median weight of its
 * relation has four copies. Every edge has at least one copy and at most sixteen, so that a few very large weights do not
 * hide the other edges. In very large graphs, whose copies would not fit into memory, the median has one copy and the
 * heaviest edges four. If all edges of a relation would have the same number of copies, each edge is listed once.
 */

import { type CsrMatrix, symmetricSum, transposeRows, type WeightedCsr } from "../numeric/csr.js";
import type { Multiplex, Relation } from "./multiplex.js";
import type { NormalizedOperator } from "./normalize.js";
import { undirectedRelations } from "./union.js";

/** Copies of an edge of median weight, except in very large graphs. */
const COPIES_OF_MEDIAN = 4;
/** Copies of the heaviest edges, as a multiple of those of the median. */
const MAX_COPIES = 4;
/** A graph is very large if its relations have more entries than this. */
const MANY_ENTRIES = 2 ** 24;
/** Bytes held at once for each entry and each copy of the median; measured: 114 bytes per entry for four copies. */
const BYTES_PER_COPY = 30;

type Relations = Pick<Multiplex, "numNodes" | "directed" | "relations">;

/** Whether the edges of a relation have different weights. */
export function hasWeights<T extends Pick<Relation, "values">>(
  relation: T,
): relation is T & Pick<WeightedCsr, "values"> {
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

/** Approximate upper limit of the memory that the copies take in addition to the graph. */
export function bytesOfCopies(graph: Relations): number {
  return BYTES_PER_COPY * copiesOfMedian(graph) * countEntries(graph, graph.relations.filter(hasWeights));
}

interface CountedRelation extends NormalizedOperator {
  /** Copies of an edge of median weight; absent if every edge is listed once. */
  readonly ordinary?: number;
}

/** The undirected relations `plain`; in relations flagged in `weighted` edges are repeated by weight. */
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

/** The undirected relations `plain`; relations whose edges have different weights get them as values. */
export function weightedRelations(graph: Relations, plain: readonly CsrMatrix[]): CsrMatrix[] {
  return graph.relations.map((relation, d) => (hasWeights(relation) ? undirected(graph, relation) : plain[d]));
}

/** A itself, or (A + Aᵀ)/2 for a directed relation: its weights are no larger than those of A. */
function undirected({ numNodes, directed }: Relations, relation: WeightedCsr): WeightedCsr {
  return directed ? symmetricSum(relation, transposeRows(relation, numNodes), 2) : relation;
}

/** Every entry repeated by its weight, `ordinary` times for the median; undefined if all have the same number of copies. */
function repeated(
  { rowStart, columns, values: weights }: WeightedCsr,
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
