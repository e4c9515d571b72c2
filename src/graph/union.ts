/** The union of all relations as one simple graph: direction, relation and weight forgotten. */

import { transposeRows } from "../core/compressed-rows.js";
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
  const last = new Int32Array(numNodes).fill(-1);
  const rowStart = new Uint32Array(numNodes + 1);
  for (let row = 0; row < numNodes; row++) {
    let count = 0;
    for (const part of parts) {
      for (let k = part.rowStart[row]; k < part.rowStart[row + 1]; k++) {
        if (last[part.columns[k]] === row) continue;
        last[part.columns[k]] = row;
        count++;
      }
    }
    rowStart[row + 1] = rowStart[row] + count;
  }
  // Symmetric: writing each row's number into the rows of its neighbours leaves every row in ascending order.
  const columns = new Uint32Array(rowStart[numNodes]);
  const cursor = rowStart.slice();
  last.fill(-1);
  for (let row = 0; row < numNodes; row++) {
    for (const part of parts) {
      for (let k = part.rowStart[row]; k < part.rowStart[row + 1]; k++) {
        const column = part.columns[k];
        if (last[column] === row) continue;
        last[column] = row;
        columns[cursor[column]++] = row;
      }
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
