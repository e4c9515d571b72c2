/**
 * Weights of edges as copies: an edge that weighs more stands several times in its rows. The median weight of a relation makes
 * four copies; none makes less than one, or more than sixteen, lest a long tail of weights leave the other edges unseen.
 * In very large graphs, whose copies would not fit into memory, the median makes one.
 */

import type { Multiplex, Relation } from "./multiplex.js";
import { type CsrMatrix, type NormalizedOperator, transpose } from "./normalize.js";
import { undirectedRelations } from "./union.js";

const COPIES_OF_MEDIAN = 4;
/** Copies of the heaviest edge, beside those of the median. */
const MOST_COPIES = 4;
/** Entries of all relations of a graph that is very large. */
const MANY_ENTRIES = 2 ** 24;

type Relations = Pick<Multiplex, "numNodes" | "directed" | "relations">;

/** Whether there is more in the weights of a relation than that an edge is there. */
export function hasWeights({ values }: Pick<Relation, "values">): boolean {
  return values?.some((weight) => weight !== values[0]) ?? false;
}

/** Copies of an edge of median weight in this graph. */
export function copiesOfMedian({ relations }: Relations): number {
  const entries = relations.reduce((sum, { columns }) => sum + columns.length, 0);
  return entries > MANY_ENTRIES ? 1 : COPIES_OF_MEDIAN;
}

/** The relations as undirected graphs, edges repeated by weight where `weighted` says so. */
export function countedRelations(graph: Relations, weighted: ArrayLike<number | boolean>): NormalizedOperator[] {
  return undirectedRelations(graph).map((plain, d) => {
    const relation = graph.relations[d];
    return weighted[d] && hasWeights(relation) ? { ...plain, ...countedRelation(graph, relation) } : plain;
  });
}

function countedRelation(graph: Relations, relation: Relation): CsrMatrix {
  const { numNodes, directed } = graph;
  const ordinary = copiesOfMedian(graph);
  const { rowStart, columns, values } = directed ? bothWays(relation, numNodes) : relation;
  const weights = values ?? new Float32Array(columns.length).fill(1);
  const median = weights.slice().sort()[weights.length >> 1];
  const copies = Uint8Array.from(weights, (weight) =>
    Math.min(MOST_COPIES * ordinary, Math.max(1, Math.round((ordinary * weight) / median))),
  );
  const start = new Uint32Array(numNodes + 1);
  const repeated = new Uint32Array(copies.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (let i = 0; i < numNodes; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) repeated.fill(columns[e], at, (at += copies[e]));
    start[i + 1] = at;
  }
  return { rowStart: start, columns: repeated };
}

/** A + Aᵀ */
function bothWays(relation: Relation, numNodes: number): CsrMatrix {
  const back = transpose(relation, numNodes);
  const rowStart = new Uint32Array(numNodes + 1);
  const columns = new Uint32Array(2 * relation.columns.length);
  const values = new Float32Array(columns.length);
  let at = 0;
  for (let i = 0; i < numNodes; i++) {
    const [end, endBack] = [relation.rowStart[i + 1], back.rowStart[i + 1]];
    let [e, b] = [relation.rowStart[i], back.rowStart[i]];
    while (e < end || b < endBack) {
      const [out, into] = [e < end ? relation.columns[e] : Infinity, b < endBack ? back.columns[b] : Infinity];
      const isOut = out <= into;
      const isInto = into <= out;
      columns[at] = Math.min(out, into);
      values[at++] = (isOut ? (relation.values?.[e++] ?? 1) : 0) + (isInto ? (back.values?.[b++] ?? 1) : 0);
    }
    rowStart[i + 1] = at;
  }
  return { rowStart, columns: columns.slice(0, at), values: values.slice(0, at) };
}
