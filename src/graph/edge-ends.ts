/** The edges of a relation as a list, and relations without some of their edges. */

import type { CsrPattern } from "../numeric/csr.js";
import type { Relation } from "./multiplex.js";

/** The two ends of each edge. */
export interface EdgeEnds {
  readonly source: Uint32Array;
  readonly target: Uint32Array;
}

/** The edges of a relation, sorted by source, then target. An undirected edge is listed once, with source < target. */
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

/** The relation without the edges flagged 1 in `removed`; its flags are in the order of `listEdges`. */
export function removeEdges(relation: Relation, removed: Uint8Array, directed: boolean): Relation {
  const { name, rowStart, columns, values } = relation;
  const numNodes = rowStart.length - 1;
  const gone = new Uint8Array(columns.length);
  // Rows ascend, so the loop meets the smaller neighbours of node n in the order of row n.
  const mirror = rowStart.slice();
  let edge = 0;
  let numRemoved = 0;
  for (let row = 0; row < numNodes; row++) {
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      if (!directed && columns[k] < row) continue;
      const back = mirror[columns[k]]++;
      if (removed[edge++] === 0) continue;
      gone[k] = 1;
      if (!directed) gone[back] = 1;
      numRemoved++;
    }
  }
  const start = new Uint32Array(numNodes + 1);
  const kept = new Uint32Array(columns.length - numRemoved * (directed ? 1 : 2));
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
  const numEdges = relation.numEdges - numRemoved;
  // as in every relation: no values if every edge has weight 1
  const weighted = weights?.some((weight) => weight !== 1) ?? false;
  return { name, rowStart: start, columns: kept, ...(weighted ? { values: weights } : {}), numEdges };
}

/** Whether the row of `source` contains `target`. */
export function hasEdge({ rowStart, columns }: CsrPattern, source: number, target: number): boolean {
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
