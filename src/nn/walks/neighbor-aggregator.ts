/** Aggregates the neighbours of every node in every relation by one sparse product, instead of one product per relation. */

import type { SparseOperator } from "../../engine/sparse.js";

/**
 * A square matrix of n·D rows for n nodes and D relations. Row and column i·D + t belong to node i in relation t. Its product with a
 * table of n·D rows is the mean or sum over the neighbours of node i in relation t; a node without neighbours keeps its row. A
 * table [n, D·s] has the same memory layout as [n·D, s]. Relations must be symmetric; their values are not read.
 */
export function neighborAggregator(relations: readonly SparseOperator[], aggregation: "mean" | "sum"): SparseOperator {
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
    if (aggregation === "mean" && neighbors.length > 0) left[row] = 1 / neighbors.length;
  }
  const pattern = { rowStart, columns: Uint32Array.from(columns), left, diagonal: 0, symmetric: true };
  return { numRows: size, numColumns: size, ...pattern };
}
