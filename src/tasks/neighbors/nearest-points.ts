/** Nearest neighbours by Euclidean distance, as the affinities of t-SNE need them. */

import { InternalError } from "../../core/errors.js";
import { nextTurn } from "../../core/event-loop.js";
import type { Engine } from "../../engine/engine.js";
import { knn, MISSING } from "../../engine/ops/index.js";
import { ProgramBuilder } from "../../engine/program.js";
import type { Neighbors } from "../projection/affinities.js";
import { findNearest, type SearchMethod, type SearchReport } from "./find-nearest.js";
import { plainVectors } from "./vectors.js";

/** Queries searched between two looks at the signal. */
const QUERY_ROWS = 2048;

/** Points as rows of `dim` numbers whose squares do not overflow. */
export interface Points {
  readonly data: Float64Array;
  readonly dim: number;
}

interface Hooks {
  readonly signal?: AbortSignal;
  readonly onSearched?: (done: number, total: number) => void | Promise<void>;
}

/** The k nearest other points of every point, all pairs compared; undefined when stopped. */
export async function exactNeighbors(
  engine: Engine,
  { data, dim }: Points,
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
      indices.set(executable.read(found.indices).subarray(0, count), start * k);
      distances.set(executable.read(found.distances).subarray(0, count), start * k);
      await onSearched?.(Math.min(n, start + rows), n);
      await nextTurn();
    }
    return { numPoints: n, k, indices, distances };
  } finally {
    await executable.dispose();
  }
}

/**
 * The k nearest of the first points for each of the others, or for the same ones: by an inverted-file index where that is
 * quicker. A point with fewer than k neighbours in the lists it searches has its farthest one repeated, which changes an
 * affinity by less than the search leaves out. Undefined when stopped.
 */
export async function likelyNeighbors(
  engine: Engine,
  points: Points,
  others: Points | undefined,
  k: number,
  method: SearchMethod,
  { signal, onSearched }: Hooks,
): Promise<(Neighbors & { readonly search: SearchReport }) | undefined> {
  const candidates = plainVectors(points.data, points.dim);
  const queries = others === undefined ? candidates : plainVectors(others.data, others.dim);
  const own = others === undefined ? Uint32Array.from({ length: queries.count }, (_, i) => i) : undefined;
  const result = await findNearest({
    engine,
    metric: "euclidean",
    candidates,
    queries: { vectors: queries, own },
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
    if (row[0] === MISSING) throw new InternalError(`neighbours of point ${i}: none found`);
    for (let e = 1; e < k; e++) if (row[e] === MISSING) row[e] = row[e - 1];
    sortByDistance(row, distances.subarray(i * k, (i + 1) * k), source, i * points.dim, points);
  }
  return { numPoints: queries.count, k, indices, distances, search: result.report };
}

/** Squared distances in float64, nearest first, equal ones by index: the engine's order is that of float32 products. */
function sortByDistance(
  row: Uint32Array,
  distances: Float32Array,
  source: Float64Array,
  from: number,
  { data, dim }: Points,
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
