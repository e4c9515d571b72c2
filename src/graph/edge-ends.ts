/** Edges of a relation one by one, and relations with some of their edges left out. */

import type { Relation } from "./multiplex.js";

/** The two ends of each edge. */
export interface EdgeEnds {
  readonly source: Uint32Array;
  readonly target: Uint32Array;
}

/** The edges of a relation by ascending source, then target; an undirected edge once, with source < target. */
export function listEdges({ rowStart, columns, numEdges }: Relation, directed: boolean): EdgeEnds {
  const source = new Uint32Array(numEdges);
  const target = new Uint32Array(numEdges);
  let count = 0;
  for (let row = 0; row + 1 < rowStart.length; row++) {
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      if (!directed && columns[k] < row) continue;
      source[count] = row;
      target[count++] = columns[k];
    }
  }
  return { source, target };
}

/** The relation without the edges flagged 1, in the order of `listEdges`. */
export function keepEdges(relation: Relation, leftOut: Uint8Array, directed: boolean): Relation {
  const { name, rowStart, columns, values } = relation;
  const numNodes = rowStart.length - 1;
  const gone = new Uint8Array(columns.length);
  // Rows ascend, so row n meets its smaller neighbours in the order in which they stand in it.
  const mirror = rowStart.slice();
  let edge = 0;
  let removed = 0;
  for (let row = 0; row < numNodes; row++) {
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      if (!directed && columns[k] < row) continue;
      const back = mirror[columns[k]]++;
      if (leftOut[edge++] === 0) continue;
      gone[k] = 1;
      if (!directed) gone[back] = 1;
      removed++;
    }
  }
  const start = new Uint32Array(numNodes + 1);
  const kept = new Uint32Array(columns.length - removed * (directed ? 1 : 2));
  const weights = values === undefined ? undefined : new Float32Array(kept.length);
  let to = 0;
  for (let row = 0; row < numNodes; row++) {
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      if (gone[k] === 1) continue;
      if (weights !== undefined && values !== undefined) weights[to] = values[k];
      kept[to++] = columns[k];
    }
    start[row + 1] = to;
  }
  const numEdges = relation.numEdges - removed;
  // as everywhere: no values where every edge weighs 1
  const weighted = weights?.some((weight) => weight !== 1) ?? false;
  return { name, rowStart: start, columns: kept, ...(weighted ? { values: weights } : {}), numEdges };
}

/** Whether the row of `source` holds `target`. */
export function hasEdge(
  { rowStart, columns }: Pick<Relation, "rowStart" | "columns">,
  source: number,
  target: number,
): boolean {
  let low = rowStart[source];
  let high = rowStart[source + 1] - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = columns[middle];
    if (found === target) return true;
    if (found < target) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
