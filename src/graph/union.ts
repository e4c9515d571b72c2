/** Simple graphs from relations: directions and weights are dropped. */

import { type CsrPattern, transposeRows } from "../numeric/csr.js";
import type { Multiplex, Relation } from "./multiplex.js";
import { type NormalizedOperator, rawOperator } from "./normalize.js";

type Relations = Pick<Multiplex, "numNodes" | "directed" | "relations">;

/** Neighbours of each node in any of the relations, in either direction; ascending, without repeats. */
export function unionAdjacency(graph: Relations, relations: readonly Relation[] = graph.relations): CsrPattern {
  const { numNodes, directed } = graph;
  const parts: readonly CsrPattern[] = directed
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
  // The matrix is symmetric: writing the index of each row into the rows of its neighbours sorts every row.
  const columns = new Uint32Array(kept);
  const cursor = rowStart.slice();
  for (let row = 0; row < numNodes; row++) {
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) columns[cursor[all.columns[k]]++] = row;
  }
  return { rowStart, columns };
}

/** Each row of all parts joined, with repeats. Goes part by part, because thousands of parts are far apart in memory. */
function joinedRows(parts: readonly CsrPattern[], numNodes: number): CsrPattern {
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

/** Each relation as a simple graph. */
export function undirectedRelations(graph: Relations): NormalizedOperator[] {
  return graph.relations.map((relation) => rawOperator(unionAdjacency(graph, [relation]), graph.numNodes, false));
}

/** All relations as one simple graph. */
export function undirectedUnion(graph: Relations): NormalizedOperator {
  return rawOperator(unionAdjacency(graph), graph.numNodes, false);
}
