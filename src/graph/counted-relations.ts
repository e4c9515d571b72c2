/**
 * Weights of edges as copies: an edge that weighs more stands several times in its rows. The median weight of a relation makes
 * four copies; none makes less than one, or more than sixteen, lest a long tail of weights leave the other edges unseen.
 */

import type { Multiplex, Relation } from "./multiplex.js";
import { type CsrMatrix, type NormalizedOperator, transpose } from "./normalize.js";
import { undirectedRelations } from "./union.js";

/** Copies of an edge of median weight. */
export const COPIES_OF_MEDIAN = 4;
const MOST_COPIES = 16;

type Relations = Pick<Multiplex, "numNodes" | "directed" | "relations">;

/** Whether there is more in the weights of a relation than that an edge is there. */
export function hasWeights({ values }: Pick<Relation, "values">): boolean {
  return values?.some((weight) => weight !== values[0]) ?? false;
}

/** The relations as undirected graphs, edges repeated by weight where `weighted` says so. */
export function countedRelations(graph: Relations, weighted: ArrayLike<number | boolean>): NormalizedOperator[] {
  return undirectedRelations(graph).map((plain, d) => {
    const relation = graph.relations[d];
    return weighted[d] && hasWeights(relation) ? { ...plain, ...countedRelation(graph, relation) } : plain;
  });
}

function countedRelation({ numNodes, directed }: Relations, relation: Relation): CsrMatrix {
  const { rowStart, columns, values } = directed ? bothWays(relation, numNodes) : relation;
  const weights = values ?? new Float32Array(columns.length).fill(1);
  const median = weights.slice().sort()[weights.length >> 1];
  const copies = Uint8Array.from(weights, (weight) =>
    Math.min(MOST_COPIES, Math.max(1, Math.round((COPIES_OF_MEDIAN * weight) / median))),
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
  const columns: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < numNodes; i++) {
    const [end, endBack] = [relation.rowStart[i + 1], back.rowStart[i + 1]];
    let [e, b] = [relation.rowStart[i], back.rowStart[i]];
    while (e < end || b < endBack) {
      const [out, into] = [e < end ? relation.columns[e] : Infinity, b < endBack ? back.columns[b] : Infinity];
      const isOut = out <= into;
      const isInto = into <= out;
      columns.push(Math.min(out, into));
      values.push((isOut ? (relation.values?.[e++] ?? 1) : 0) + (isInto ? (back.values?.[b++] ?? 1) : 0));
    }
    rowStart[i + 1] = columns.length;
  }
  return { rowStart, columns: Uint32Array.from(columns), values: Float32Array.from(values) };
}
