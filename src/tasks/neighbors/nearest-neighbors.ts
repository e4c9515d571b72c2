/** The nearest neighbours of many nodes by cosine, as a table; for one node see neighbors-of-node.ts. */

import { type Embedding, isVectorRows, requireVectors, type VectorRows, wholeEmbedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { int, requireOption } from "../../core/options.js";
import {
  type KeysOf,
  requireKeys,
  requireSignal,
  requireWord,
  type StopSignal,
  valueText,
} from "../../core/validation.js";
import { chooseEngine } from "../../engine/create-engine.js";
import { type Engine, requireEngine } from "../../engine/engine.js";
import { MISSING } from "../../engine/ops/index.js";
import { columnMeans, meanVector } from "../../numeric/rows.js";
import { findNodes } from "./find-nodes.js";
import { scanNearest, vectorsOfNodes } from "./nearest-of-few.js";
import type { Neighbor } from "./neighbors-of-node.js";
import {
  findNearest,
  SEARCH_METHODS,
  type SearchMethod,
  type SearchProgress,
  type SearchReport,
} from "./search/find-nearest.js";
import type { Found } from "./search/list-search.js";
import { selectVectors, type UnitVectors, unitVectors } from "./search/search-vectors.js";

/** Which neighbours are searched, and how. */
export interface NeighborsOptions {
  /** Number of neighbours per node; default 10. A node with fewer candidates has fewer neighbours. */
  readonly k?: number;
  /** Ids of the nodes whose neighbours are searched; default all. Excludes `queries`. */
  readonly nodes?: readonly string[];
  /** Other vectors of the same dim whose neighbours in the embedding are searched, such as vectors of new nodes. */
  readonly queries?: Embedding;
  /** Ids of the nodes that may be neighbours; default all. */
  readonly among?: readonly string[];
  /** Whether the mean vector of the embedding is first subtracted from all vectors, including `queries`; default true. */
  readonly center?: boolean;
  /** `auto` (default) compares all pairs, unless that would take more than about a minute on two cores. */
  readonly method?: SearchMethod;
  /** Default: WebAssembly with one thread per core. */
  readonly engine?: Engine;
  /** Stops the search: the promise rejects with the signal's reason. */
  readonly signal?: StopSignal;
  /** If it returns a promise, the search waits for it. */
  readonly onProgress?: (progress: SearchProgress) => void | Promise<void>;
}

/** Number of neighbours; for commands. */
export const K_OPTION = int(10, { min: 1, doc: "number of neighbours per node" });

const OPTIONS: KeysOf<NeighborsOptions> = {
  k: true,
  nodes: true,
  queries: true,
  among: true,
  center: true,
  method: true,
  engine: true,
  signal: true,
  onProgress: true,
};

/** Nearest neighbours of many nodes: row i of `indices` and `cosines` has k entries and belongs to `nodes[i]`. */
export interface NeighborTable {
  /** Ids of the nodes whose neighbours were searched. */
  readonly nodes: readonly string[];
  /** Ids of the embedding. */
  readonly ids: readonly string[];
  readonly k: number;
  /** Indices into `ids`, nearest first; equal cosines in the order of `ids`. Padded with `NO_NEIGHBOR`. */
  readonly indices: Uint32Array;
  /** Cosines, padded with NaN. */
  readonly cosines: Float32Array;
  /** Whether the mean vector was subtracted. */
  readonly centered: boolean;
  /** Whether all pairs were compared; if not, the recall. */
  readonly search: SearchReport;
}

/** Pads a row of a `NeighborTable` that has fewer than k neighbours. */
export const NO_NEIGHBOR = MISSING;

/**
 * The k nearest neighbours of all nodes, of some nodes, or of other vectors, by cosine. A node is not its own neighbour. A
 * vector without a direction (zero, or equal to the subtracted mean) is nobody's neighbour and has no neighbours.
 */
export async function nearestNeighbors(
  source: Embedding | VectorRows,
  options: NeighborsOptions = {},
): Promise<NeighborTable> {
  const where = "nearestNeighbors";
  requireKeys(options, OPTIONS, where);
  if (!isVectorRows(source)) requireVectors(source, where);
  const { k = K_OPTION.default, nodes, queries, among, center = true, method = "auto", signal, onProgress } = options;
  requireOption(K_OPTION, k, `${where}: k`);
  requireWord(method, SEARCH_METHODS, `${where}: method`);
  requireSignal(signal, `${where}: signal`);
  if (typeof center !== "boolean")
    throw new InputError(`${where}: center is ${valueText(center)}; expected a boolean.`);
  if (options.engine !== undefined) requireEngine(options.engine, where);
  if (nodes !== undefined && queries !== undefined) {
    throw new InputError(`${where}: nodes and queries are both given; expected one of them.`);
  }
  if (queries !== undefined) {
    requireVectors(queries, `${where}: queries`);
    if (queries.dim !== source.dim) {
      throw new InputError(`${where}: queries have ${queries.dim} numbers each; expected ${source.dim}.`);
    }
  }
  if (isVectorRows(source) && method !== "approximate" && isFew(source, nodes ?? queries?.ids)) {
    return scanTable(source, { ...options, k, center });
  }
  const embedding = isVectorRows(source) ? wholeEmbedding(source) : source;
  const mean = center && embedding.ids.length > 0 ? columnMeans(embedding.vectors, embedding.dim) : undefined;
  const unit = unitVectors(embedding, mean);
  const places = (list: readonly string[] | undefined, name: string) =>
    list === undefined
      ? undefined
      : findNodes(embedding.ids, requireList(list, `${where}: ${name}`), `${where}: ${name}`);
  const queried = queryVectors(embedding, unit, { places: places(nodes, "nodes"), queries, mean });
  const withDirection = (place: number) => unit.inverseLengths[place] > 0;
  // ascending and distinct, because equal cosines are ordered by index
  const candidates = (
    among === undefined
      ? Uint32Array.from({ length: embedding.ids.length }, (_, i) => i)
      : Uint32Array.from(new Set(places(among, "among"))).sort()
  ).filter(withDirection);
  const rows = Uint32Array.from({ length: queried.ids.length }, (_, i) => i).filter((i) => queried.hasDirection(i));
  // if queries and candidates are the same nodes, the search groups them into lists once
  const all = candidates.length === rows.length && candidates.length > 0 && queried.isAll && among === undefined;
  const chosen = selectVectors(unit, candidates);
  const result = await findNearest({
    engine: options.engine ?? (await chooseEngine()),
    metric: "cosine",
    candidates: chosen,
    queries: {
      vectors: all ? chosen : selectVectors(queried.vectors, rows),
      self: selfCandidates(embedding.ids, candidates, queried, rows),
    },
    k: Math.max(1, Math.min(k, candidates.length)),
    method,
    signal,
    onProgress,
  });
  if (result === undefined) throw signal?.reason ?? new InputError(`${where}: stopped`);
  const table = { nodes: queried.ids, ids: embedding.ids, k, centered: center, search: result.report };
  return { ...table, ...exactCosines(result.found, k, { unit, candidates, queried, rows }) };
}

/** Multiply-adds of a scan in slices: about ten seconds on one core. Not tuned. */
const MAX_SCAN_WORK = 1e10;

/** Whether the neighbours of so few nodes or vectors are searched that the embedding need not be in memory. */
function isFew({ ids, dim }: VectorRows, queried: readonly string[] | undefined): boolean {
  return queried !== undefined && queried.length * ids.length * dim <= MAX_SCAN_WORK;
}

/** The table of a few nodes or queries, whose candidates are read in slices. */
function scanTable(
  rows: VectorRows,
  { k, center, nodes, queries, among }: NeighborsOptions & { readonly k: number; readonly center: boolean },
): NeighborTable {
  const where = "nearestNeighbors";
  const { ids } = rows;
  const mean = center && ids.length > 0 ? meanVector(rows) : undefined;
  const places = findNodes(ids, requireList(nodes ?? [], `${where}: nodes`), `${where}: nodes`);
  const names = queries?.ids ?? places.map((place) => ids[place]);
  const listed = among === undefined ? undefined : new Uint8Array(ids.length);
  const listedPlaces = findNodes(ids, requireList(among ?? [], `${where}: among`), `${where}: among`);
  for (const place of listedPlaces) if (listed !== undefined) listed[place] = 1;
  const found = scanNearest(rows, {
    queries: queries === undefined ? vectorsOfNodes(rows, places, mean) : unitVectors(queries, mean),
    mean,
    k,
    isSkipped: (q, node) => listed?.[node] === 0 || ids[node] === names[q],
  });
  const indices = new Uint32Array(names.length * k).fill(NO_NEIGHBOR);
  const cosines = new Float32Array(names.length * k).fill(Number.NaN);
  found.forEach((list, row) => {
    list.forEach(({ node, cosine }, e) => {
      indices[row * k + e] = node;
      cosines[row * k + e] = cosine;
    });
  });
  return { nodes: names, ids, k, indices, cosines, centered: center, search: { method: "exact" } };
}

/** The neighbours in row `row` of a table, nearest first. */
export function neighborsInRow({ ids, k, indices, cosines }: NeighborTable, row: number): Neighbor[] {
  const list: Neighbor[] = [];
  for (let at = row * k; at < (row + 1) * k && indices[at] !== NO_NEIGHBOR; at++) {
    list.push({ node: ids[indices[at]], cosine: cosines[at] });
  }
  return list;
}

function requireList(list: readonly string[], where: string): readonly string[] {
  if (Array.isArray(list)) return list;
  throw new InputError(`${where} is ${valueText(list)}; expected a list of ids.`);
}

/** The vectors whose neighbours are searched. */
interface QueryVectors {
  readonly ids: readonly string[];
  readonly vectors: Pick<UnitVectors, "count" | "dim" | "copy">;
  /** Whether these are all nodes of the embedding, in its order. */
  readonly isAll: boolean;
  hasDirection(row: number): boolean;
}

function queryVectors(
  { ids }: Embedding,
  unit: UnitVectors,
  request: { places?: readonly number[]; queries?: Embedding; mean?: Float64Array },
): QueryVectors {
  const { places, queries, mean } = request;
  if (queries !== undefined) {
    const vectors = unitVectors(queries, mean);
    return { ids: queries.ids, vectors, isAll: false, hasDirection: (row) => vectors.inverseLengths[row] > 0 };
  }
  if (places !== undefined) {
    return {
      ids: places.map((place) => ids[place]),
      vectors: selectVectors(unit, places),
      isAll: false,
      hasDirection: (row) => unit.inverseLengths[places[row]] > 0,
    };
  }
  return { ids, vectors: unit, isAll: true, hasDirection: (row) => unit.inverseLengths[row] > 0 };
}

/** For each searched row, the index of the candidate with the same id, which is skipped; `MISSING` if there is none. */
function selfCandidates(
  ids: readonly string[],
  candidates: Uint32Array,
  queried: QueryVectors,
  rows: Uint32Array,
): Uint32Array {
  if (queried.isAll && candidates.length === rows.length) return Uint32Array.from(rows, (_, i) => i);
  const byId = new Map<string, number>();
  for (const row of rows) byId.set(queried.ids[row], MISSING);
  for (let c = 0; c < candidates.length; c++) if (byId.has(ids[candidates[c]])) byId.set(ids[candidates[c]], c);
  return Uint32Array.from(rows, (row) => byId.get(queried.ids[row]) ?? MISSING);
}

/** Recomputes the cosines of the found neighbours in float64 and sorts them again, because the engine's are float32. */
function exactCosines(
  found: Found,
  k: number,
  search: { unit: UnitVectors; candidates: Uint32Array; queried: QueryVectors; rows: Uint32Array },
): { indices: Uint32Array; cosines: Float32Array } {
  const { unit, candidates, queried, rows } = search;
  const { dim } = unit;
  const indices = new Uint32Array(queried.ids.length * k).fill(NO_NEIGHBOR);
  const cosines = new Float32Array(queried.ids.length * k).fill(Number.NaN);
  const query = new Float64Array(dim);
  const other = new Float64Array(dim);
  const sorted = new Float64Array(found.k);
  for (let i = 0; i < rows.length; i++) {
    queried.vectors.copy(rows[i], query, 0);
    const start = rows[i] * k;
    for (let e = 0; e < found.k && found.names[i * found.k + e] !== MISSING; e++) {
      const place = candidates[found.names[i * found.k + e]];
      unit.copy(place, other, 0);
      let dot = 0;
      for (let c = 0; c < dim; c++) dot += query[c] * other[c];
      let at = e;
      for (; at > 0 && (sorted[at - 1] < dot || (sorted[at - 1] === dot && indices[start + at - 1] > place)); at--) {
        sorted[at] = sorted[at - 1];
        indices[start + at] = indices[start + at - 1];
      }
      sorted[at] = dot;
      indices[start + at] = place;
    }
    for (let e = 0; e < found.k && indices[start + e] !== NO_NEIGHBOR; e++) {
      cosines[start + e] = Math.max(-1, Math.min(1, sorted[e]));
    }
  }
  return { indices, cosines };
}
