/** Sums over the neighbours of all relations in one sparse product, instead of one product per relation. */

import type { SparseOperator } from "../../engine/sparse.js";

/**
 * Means or sums over the neighbours in each relation; a node without neighbours keeps its own row. Rows and columns are i·D + t for
 * node i and relation t, so that a table [n, D·s], read as [n·D, s], gives a table of the same form. Relations must be symmetric;
 * their values are not read.
 */
export function relationNeighbors(relations: readonly SparseOperator[], how: "mean" | "sum"): SparseOperator {
  const numRelations = relations.length;
  const size = relations[0].numRows * numRelations;
  const rowStart = new Uint32Array(size + 1);
  const left = new Float64Array(size).fill(1);
  const columns: number[] = [];
  for (let row = 0; row < size; row++) {
    const t = row % numRelations;
    const i = (row - t) / numRelations;
    const neighbors = relations[t].columns.subarray(relations[t].rowStart[i], relations[t].rowStart[i + 1]);
    if (neighbors.length === 0) columns.push(row);
    for (const k of neighbors) columns.push(k * numRelations + t);
    rowStart[row + 1] = columns.length;
    if (how === "mean" && neighbors.length > 0) left[row] = 1 / neighbors.length;
  }
  const pattern = { rowStart, columns: Uint32Array.from(columns), left, diagonal: 0, symmetric: true };
  return { numRows: size, numColumns: size, ...pattern };
}
