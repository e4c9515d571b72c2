/** How many edges a training step of the edges facet draws, and how often from each relation. */

import type { SparseOperator } from "../../../engine/sparse.js";
import { largestOf } from "../../../numeric/extremes.js";
import { EDGES } from "../constants.js";

/**
 * Factor by which the entries of each relation are repeated in the draws, so that a relation is drawn in proportion to the
 * square root of its number of distinct edges. `relations` hold edges with their copies, `distinct` each edge once.
 */
export function drawnCopies(relations: readonly Entries[], distinct: readonly Entries[]): number[] {
  const sizes = distinct.map(({ columns }) => columns.length);
  const largest = largestOf(sizes);
  const copies = relations.map(({ columns }, d) => columns.length / Math.max(1, sizes[d]));
  const maxCopies = largestOf(copies, 1);
  return sizes.map((size, d) =>
    Math.round((maxCopies / Math.max(1, copies[d])) * Math.sqrt(largest / Math.max(1, size))),
  );
}

type Entries = Pick<SparseOperator, "columns">;

/** Edges drawn per step: the option `batch`, or if that is 0 the number of edges within the limits. */
export function batchOf(relations: readonly Entries[], batch: number, table: boolean): number {
  if (batch > 0) return batch;
  const numEdges = relations.reduce((sum, { columns }) => sum + columns.length / 2, 0);
  return Math.max(EDGES.minBatch, Math.min(table ? EDGES.maxBatch : EDGES.maxBatchWithoutTable, Math.round(numEdges)));
}

/** Lower limit of the time of a step without a table, as a share of a step with one. */
export function shareWithoutTable(relations: readonly Entries[], batch: number): number {
  return (EDGES.timeWithoutTable * batchOf(relations, batch, false)) / batchOf(relations, batch, true);
}
