/** The union of all relations as one simple graph: direction, relation and weight forgotten. */

import { transposeRows } from "../numeric/csr.js";
import type { Multiplex, Relation } from "./multiplex.js";
import { type CsrMatrix, type NormalizedOperator, rawOperator } from "./normalize.js";

type Relations = Pick<Multiplex, "numNodes" | "directed" | "relations">;

/** Neighbours of each node in any of the relations, in either direction; ascending, without repeats, all of weight 1. */
export function unionAdjacency(graph: Relations, relations: readonly Relation[] = graph.relations): CsrMatrix {
  const { numNodes, directed } = graph;
  const parts: readonly CsrMatrix[] = directed
    ? relations.flatMap(({ rowStart, columns }) => [
        { rowStart, columns },
        transposeRows({ rowStart, columns }, numNodes),
      ])
    : relations;
  if (parts.length === 1) return { rowStart: parts[0].rowStart, columns: parts[0].columns };
  const all = joinedRows(parts, numNodes);
  const last = new Int32Array(numNodes).fill(-1);
  const rowStart = new Uint32Array(numNodes + 1);
  let kept = 0;
  for (let row = 0; row < numNodes; row++) {
    for (let k = all.rowStart[row]; k < all.rowStart[row + 1]; k++) {
      const column = all.columns[k];
      if (last[column] === row) continue;
      last[column] = row;
      all.columns[kept++] = column;
    }
    rowStart[row + 1] = kept;
  }
  // Symmetric: writing each row's number into the rows of its neighbours leaves every row in ascending order.
  const columns = new Uint32Array(kept);
  const cursor = rowStart.slice();
  for (let row = 0; row < numNodes; row++) {
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) columns[cursor[all.columns[k]]++] = row;
  }
  return { rowStart, columns };
}

/** The rows of all parts one after the other, with repeats. Part by part: with thousands of them that is how they lie in memory. */
function joinedRows(parts: readonly CsrMatrix[], numNodes: number): CsrMatrix {
  const rowStart = new Uint32Array(numNodes + 1);
  for (const part of parts) {
    for (let row = 0; row < numNodes; row++) rowStart[row + 1] += part.rowStart[row + 1] - part.rowStart[row];
  }
  for (let row = 0; row < numNodes; row++) rowStart[row + 1] += rowStart[row];
  const cursor = rowStart.slice();
  const columns = new Uint32Array(rowStart[numNodes]);
  for (const part of parts) {
    for (let row = 0; row < numNodes; row++) {
      for (let k = part.rowStart[row]; k < part.rowStart[row + 1]; k++) columns[cursor[row]++] = part.columns[k];
    }
  }
  return { rowStart, columns };
}

/** Each relation as a simple graph: direction and weight forgotten. */
export function undirectedRelations(graph: Relations): NormalizedOperator[] {
  return graph.relations.map((relation) => rawOperator(unionAdjacency(graph, [relation]), graph.numNodes, false));
}

/** All relations as one simple graph. */
export function undirectedUnion(graph: Relations): NormalizedOperator {
  return rawOperator(unionAdjacency(graph), graph.numNodes, false);
}
