/** Small graphs and matrices for the tests of the untrained facets. */

import { Rng } from "../../core/rng.js";
import type { SparseOperator } from "../../engine/sparse.js";
import type { SimpleGraph } from "./weights/edge-copies.js";

/** A random graph of two groups; `within` and `between` are the probabilities of an edge. `groups` holds 1 or −1 per node. */
export function twoGroups(
  numRows: number,
  within: number,
  between: number,
  seed: number,
): SimpleGraph & { groups: number[] } {
  const rng = new Rng(seed, "groups");
  const groups = Array.from({ length: numRows }, () => (rng.uniform() < 0.5 ? 1 : -1));
  const rows: number[][] = groups.map(() => []);
  for (let i = 0; i < numRows; i++) {
    for (let j = i + 1; j < numRows; j++) {
      if (rng.uniform() >= (groups[i] === groups[j] ? within : between)) continue;
      rows[i].push(j);
      rows[j].push(i);
    }
  }
  return { ...graphOf(rows), groups };
}

/** A graph from the list of neighbours of each node. */
export function graphOf(rows: readonly (readonly number[])[]): SimpleGraph {
  const rowStart = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.length;
  });
  const columns = Uint32Array.from(rows.flatMap((row) => [...row].sort((a, b) => a - b)));
  return { numRows: rows.length, rowStart, columns };
}

/** Dense rows as a sparse matrix. */
export function sparseOf(rows: readonly (readonly number[])[]): SparseOperator {
  const entries = rows.map((row) => row.flatMap((value, c) => (value === 0 ? [] : [{ c, value }])));
  return {
    numRows: rows.length,
    numColumns: rows[0].length,
    rowStart: Uint32Array.from([0, ...entries.map((_, i) => entries.slice(0, i + 1).flat().length)]),
    columns: Uint32Array.from(entries.flat(), ({ c }) => c),
    values: Float64Array.from(entries.flat(), ({ value }) => value),
    diagonal: 0,
    symmetric: false,
  };
}
