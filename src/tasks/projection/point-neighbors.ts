/** Nearest neighbours by Euclidean distance for t-SNE. */

import { InternalError } from "../../core/errors.js";
import { nextTurn } from "../../core/event-loop.js";
import type { StopSignal } from "../../core/validation.js";
import type { Engine } from "../../engine/engine.js";
import { knn, MISSING } from "../../engine/ops/index.js";
import { ProgramBuilder } from "../../engine/program.js";
import type { Rows } from "../../numeric/rows.js";
import { findNearest, type SearchMethod, type SearchReport } from "../neighbors/search/find-nearest.js";
import { plainVectors } from "../neighbors/search/search-vectors.js";
import type { Neighbors } from "./affinities.js";

/** Number of queries between two checks of the signal. */
const QUERY_ROWS = 2048;

interface Hooks {
  readonly signal?: StopSignal;
  readonly onSearched?: (done: number, total: number) => void | Promise<void>;
}

/**
 * The k nearest other points of every point, found by comparing all pairs; undefined when stopped. A point is a row of
 * numbers whose squares do not overflow.
 */
export async function exactPointNeighbors(
  engine: Engine,
  { data, width: dim }: Rows,
  k: number,
  { signal, onSearched }: Hooks,
): Promise<Neighbors | undefined> {
  const n = data.length / dim;
  const rows = Math.min(n, QUERY_ROWS);
  const builder = new ProgramBuilder();
  const points = builder.constant(data, n, dim);
  const first = builder.input("first", 1, 1, "index");
  let found!: ReturnType<typeof knn>;
  builder.segment("search", () => {
    found = knn(points, first, rows, k);
    return [found.indices, found.distances];
  });
  const executable = await engine.compile(builder.finish());
  try {
    const indices = new Uint32Array(n * k);
    const distances = new Float32Array(n * k);
    for (let start = 0; start < n; start += rows) {
      if (signal?.aborted) return undefined;
      const count = Math.min(rows, n - start) * k;
      executable.write(first, (target) => {
        target[0] = start;
      });
      executable.run("search");
      indices.set((await executable.read(found.indices)).subarray(0, count), start * k);
      distances.set((await executable.read(found.distances)).subarray(0, count), start * k);
      await onSearched?.(Math.min(n, start + rows), n);
      await nextTurn();
    }
    return { numPoints: n, k, indices, distances };
  } finally {
    await executable.dispose();
  }
}

/**
 * For each point of `others` (default: `points` themselves) the k nearest of `points`, found exactly or by an inverted-file
 * index, as `method` says. If a point has fewer than k neighbours in the lists it searches, its farthest neighbour is
 * repeated; this changes an affinity by less than the neighbours that the search misses. Undefined when stopped.
 */
export async function findPointNeighbors(
  engine: Engine,
  points: Rows,
  others: Rows | undefined,
  k: number,
  method: SearchMethod,
  { signal, onSearched }: Hooks,
): Promise<(Neighbors & { readonly search: SearchReport }) | undefined> {
  const candidates = plainVectors(points.data, points.width);
  const queries = others === undefined ? candidates : plainVectors(others.data, others.width);
  const self = others === undefined ? Uint32Array.from({ length: queries.count }, (_, i) => i) : undefined;
  const result = await findNearest({
    engine,
    metric: "euclidean",
    candidates,
    queries: { vectors: queries, self },
    k,
    method,
    signal,
    onProgress: ({ stage, done, total }) => (stage === "search" ? onSearched?.(done, total) : undefined),
  });
  if (result === undefined) return undefined;
  const { names: indices } = result.found;
  const distances = new Float32Array(indices.length);
  const source = (others ?? points).data;
  for (let i = 0; i < queries.count; i++) {
    const row = indices.subarray(i * k, (i + 1) * k);
    if (row[0] === MISSING) throw new InternalError(`point ${i}: the search found no neighbour`);
    for (let e = 1; e < k; e++) if (row[e] === MISSING) row[e] = row[e - 1];
    sortByDistance(row, distances.subarray(i * k, (i + 1) * k), source, i * points.width, points);
  }
  return { numPoints: queries.count, k, indices, distances, search: result.report };
}

/** Recomputes squared distances in float64 and sorts by them, then by index, because the engine's order is that of float32. */
function sortByDistance(
  row: Uint32Array,
  distances: Float32Array,
  source: Float64Array,
  from: number,
  { data, width: dim }: Rows,
): void {
  for (let e = 0; e < row.length; e++) {
    const index = row[e];
    let square = 0;
    for (let c = 0, at = index * dim; c < dim; c++) square += (source[from + c] - data[at + c]) ** 2;
    const distance = Math.fround(square);
    let at = e;
    for (; at > 0 && (distances[at - 1] > distance || (distances[at - 1] === distance && row[at - 1] > index)); at--) {
      distances[at] = distances[at - 1];
      row[at] = row[at - 1];
    }
    distances[at] = distance;
    row[at] = index;
  }
}
