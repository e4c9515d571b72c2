/**
 * Weights of edges as copies: an edge that weighs more stands several times in its rows. The median weight of a relation makes
 * four copies; none makes less than one, or more than sixteen, lest a long tail of weights leave the other edges unseen.
 * In very large graphs, whose copies would not fit into memory, the median makes one.
 */

import type { Multiplex, Relation } from "./multiplex.js";
import { type CsrMatrix, type NormalizedOperator, transpose, type WeightedMatrix } from "./normalize.js";
import { undirectedRelations } from "./union.js";

const COPIES_OF_MEDIAN = 4;
/** Copies of the heaviest edge, beside those of the median. */
const MOST_COPIES = 4;
/** Entries of all relations of a graph that is very large. */
const MANY_ENTRIES = 2 ** 24;

type Relations = Pick<Multiplex, "numNodes" | "directed" | "relations">;

/** Whether there is more in the weights of a relation than that an edge is there. */
export function hasWeights<T extends Pick<Relation, "values">>(
  relation: T,
): relation is T & Pick<WeightedMatrix, "values"> {
  const { values } = relation;
  return values?.some((weight) => weight !== values[0]) ?? false;
}

/** Copies of an edge of median weight in this graph. */
export function copiesOfMedian({ relations }: Relations): number {
  const entries = relations.reduce((sum, { columns }) => sum + columns.length, 0);
  return entries > MANY_ENTRIES ? 1 : COPIES_OF_MEDIAN;
}

/** `plain`, the relations as undirected graphs, with edges repeated by weight where `weighted` says so. */
export function countedRelations(
  graph: Relations,
  weighted: ArrayLike<number | boolean>,
  plain = undirectedRelations(graph),
): NormalizedOperator[] {
  const { relations } = graph;
  const ordinary = copiesOfMedian(graph);
  return plain.map((own, d) => {
    const relation = relations[d];
    if (!weighted[d] || !hasWeights(relation)) return own;
    return { ...own, ...repeated(undirected(graph, relation), graph.numNodes, ordinary) };
  });
}

/** The relations as undirected graphs, with weights as values where there is more in them than that an edge is there. */
export function weighedRelations(graph: Relations): CsrMatrix[] {
  const plain = undirectedRelations(graph);
  return graph.relations.map((relation, d) => (hasWeights(relation) ? undirected(graph, relation) : plain[d]));
}

function undirected({ numNodes, directed }: Relations, relation: WeightedMatrix): WeightedMatrix {
  return directed ? bothWays(relation, numNodes) : relation;
}

/** Every entry as often as its weight says, the median one `ordinary` times. */
function repeated(
  { rowStart, columns, values: weights }: WeightedMatrix,
  numNodes: number,
  ordinary: number,
): CsrMatrix {
  const median = weights.slice().sort()[weights.length >> 1];
  const copies = Uint8Array.from(weights, (weight) =>
    Math.min(MOST_COPIES * ordinary, Math.max(1, Math.round((ordinary * weight) / median))),
  );
  const start = new Uint32Array(numNodes + 1);
  const entries = new Uint32Array(copies.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (let i = 0; i < numNodes; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) entries.fill(columns[e], at, (at += copies[e]));
    start[i + 1] = at;
  }
  return { rowStart: start, columns: entries };
}

/** A + Aᵀ */
function bothWays(relation: WeightedMatrix, numNodes: number): WeightedMatrix {
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
      values[at++] = (isOut ? relation.values[e++] : 0) + (isInto ? back.values[b++] : 0);
    }
    rowStart[i + 1] = at;
  }
  return { rowStart, columns: columns.slice(0, at), values: values.slice(0, at) };
}
