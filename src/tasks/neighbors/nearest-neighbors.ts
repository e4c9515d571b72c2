/** Nearest neighbours in bulk, by cosine. */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { int } from "../../core/options.js";
import {
  type KeysOf,
  requireCount,
  requireKeys,
  requireSignal,
  requireWord,
  valueText,
} from "../../core/validation.js";
import { type Engine, requireEngine } from "../../engine/engine.js";
import { MISSING } from "../../engine/ops/index.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import { columnMeans } from "../../numeric/rows.js";
import {
  findNearest,
  SEARCH_METHODS,
  type SearchMethod,
  type SearchProgress,
  type SearchReport,
} from "./find-nearest.js";
import type { Found } from "./list-search.js";
import { findNodes, type Neighbor } from "./nearest-nodes.js";
import { selectVectors, type UnitVectors, unitVectors } from "./vectors.js";

/** Which neighbours are searched, and how. */
export interface NeighborsOptions {
  /** Neighbours of each node; default 10. Nodes with fewer candidates have fewer. */
  readonly k?: number;
  /** Ids of the nodes whose neighbours are wanted; default all. Not with `queries`. */
  readonly nodes?: readonly string[];
  /** Other vectors whose neighbours in the embedding are wanted, such as those of new nodes; same dim. */
  readonly queries?: Embedding;
  /** Ids of the nodes that may be neighbours; default all. */
  readonly among?: readonly string[];
  /** Whether the mean vector of the embedding is subtracted first, from `queries` too; default true. */
  readonly center?: boolean;
  /** `auto` (default) compares all pairs unless that would take more than about a minute on two cores. */
  readonly method?: SearchMethod;
  /** Default: WebAssembly with as many threads as the machine runs at once. */
  readonly engine?: Engine;
  /** Ends the work: the promise fails with the signal's reason. */
  readonly signal?: AbortSignal;
  /** A promise it returns is awaited. */
  readonly onProgress?: (progress: SearchProgress) => void | Promise<void>;
}

/** Number of neighbours; for commands. */
export const K_OPTION = int(10, { min: 1, doc: "neighbours of each node" });

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

/** Nearest neighbours of many nodes, as columns: row i of `indices` and `cosines` has k entries. */
export interface NeighborTable {
  /** Ids of the nodes whose neighbours these are. */
  readonly nodes: readonly string[];
  /** Ids that `indices` count: those of the embedding. */
  readonly ids: readonly string[];
  readonly k: number;
  /** Places in `ids`, nearest first; of equal cosines the first node comes first. `NO_NEIGHBOR` where there are fewer than k. */
  readonly indices: Uint32Array;
  /** Cosines, NaN where there is no neighbour. */
  readonly cosines: Float32Array;
  /** Whether the cosines are of vectors less their mean. */
  readonly centered: boolean;
  /** Whether all pairs were compared, and the recall if not. */
  readonly search: SearchReport;
}

/** The place of a neighbour that is not there. */
export const NO_NEIGHBOR = MISSING;

/**
 * The k nearest neighbours of all nodes, of some, or of other vectors, by cosine. A node is not its own neighbour. A vector
 * without a direction (zero, or equal to the mean that is subtracted) is nobody's neighbour and has none.
 */
export async function nearestNeighbors(embedding: Embedding, options: NeighborsOptions = {}): Promise<NeighborTable> {
  const where = "nearestNeighbors";
  requireKeys(options, OPTIONS, where);
  requireVectors(embedding, where);
  const { k = K_OPTION.default, nodes, queries, among, center = true, method = "auto", signal, onProgress } = options;
  requireCount(k, `${where}: k`);
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
    if (queries.dim !== embedding.dim) {
      throw new InputError(`${where}: queries have ${queries.dim} numbers each; expected ${embedding.dim}.`);
    }
  }
  const mean = center && embedding.ids.length > 0 ? columnMeans(embedding.vectors, embedding.dim) : undefined;
  const known = unitVectors(embedding, mean);
  const places = (list: readonly string[] | undefined, name: string) =>
    list === undefined
      ? undefined
      : findNodes(embedding.ids, requireList(list, `${where}: ${name}`), `${where}: ${name}`);
  const asked = askedVectors(embedding, known, { places: places(nodes, "nodes"), queries, mean });
  const withDirection = (place: number) => known.inverseLengths[place] > 0;
  // ascending and distinct: equal cosines are ordered by place
  const candidates = (
    among === undefined
      ? Uint32Array.from({ length: embedding.ids.length }, (_, i) => i)
      : Uint32Array.from(new Set(places(among, "among"))).sort()
  ).filter(withDirection);
  const rows = Uint32Array.from({ length: asked.ids.length }, (_, i) => i).filter((i) => asked.hasDirection(i));
  // where all nodes ask for all, the search can use one grouping for both
  const all = candidates.length === rows.length && candidates.length > 0 && asked.isKnown && among === undefined;
  const chosen = selectVectors(known, candidates);
  const result = await findNearest({
    engine: options.engine ?? (await createWasmEngine()),
    metric: "cosine",
    candidates: chosen,
    queries: {
      vectors: all ? chosen : selectVectors(asked.vectors, rows),
      own: ownCandidates(embedding.ids, candidates, asked, rows),
    },
    k: Math.max(1, Math.min(k, candidates.length)),
    method,
    signal,
    onProgress,
  });
  if (result === undefined) throw signal?.reason ?? new InputError(`${where}: stopped`);
  const table = { nodes: asked.ids, ids: embedding.ids, k, centered: center, search: result.report };
  return { ...table, ...exactCosines(result.found, k, { known, candidates, asked, rows }) };
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

/** Those whose neighbours are wanted. */
interface Asked {
  readonly ids: readonly string[];
  readonly vectors: Pick<UnitVectors, "count" | "dim" | "copy">;
  /** All nodes of the embedding, in its order. */
  readonly isKnown: boolean;
  hasDirection(row: number): boolean;
}

function askedVectors(
  { ids }: Embedding,
  known: UnitVectors,
  given: { places?: readonly number[]; queries?: Embedding; mean?: Float64Array },
): Asked {
  const { places, queries, mean } = given;
  if (queries !== undefined) {
    const vectors = unitVectors(queries, mean);
    return { ids: queries.ids, vectors, isKnown: false, hasDirection: (row) => vectors.inverseLengths[row] > 0 };
  }
  if (places !== undefined) {
    return {
      ids: places.map((place) => ids[place]),
      vectors: selectVectors(known, places),
      isKnown: false,
      hasDirection: (row) => known.inverseLengths[places[row]] > 0,
    };
  }
  return { ids, vectors: known, isKnown: true, hasDirection: (row) => known.inverseLengths[row] > 0 };
}

/** For each searched row the candidate of the same id, which is left out. */
function ownCandidates(ids: readonly string[], candidates: Uint32Array, asked: Asked, rows: Uint32Array): Uint32Array {
  if (asked.isKnown && candidates.length === rows.length) return Uint32Array.from(rows, (_, i) => i);
  const byId = new Map<string, number>();
  for (const row of rows) byId.set(asked.ids[row], MISSING);
  for (let c = 0; c < candidates.length; c++) if (byId.has(ids[candidates[c]])) byId.set(ids[candidates[c]], c);
  return Uint32Array.from(rows, (row) => byId.get(asked.ids[row]) ?? MISSING);
}

/** Places and cosines in float64 of what the engine found, put in order where rounding of float32 had exchanged two. */
function exactCosines(
  found: Found,
  k: number,
  given: { known: UnitVectors; candidates: Uint32Array; asked: Asked; rows: Uint32Array },
): { indices: Uint32Array; cosines: Float32Array } {
  const { known, candidates, asked, rows } = given;
  const { dim } = known;
  const indices = new Uint32Array(asked.ids.length * k).fill(NO_NEIGHBOR);
  const cosines = new Float32Array(asked.ids.length * k).fill(Number.NaN);
  const query = new Float64Array(dim);
  const other = new Float64Array(dim);
  const sorted = new Float64Array(found.k);
  for (let i = 0; i < rows.length; i++) {
    asked.vectors.copy(rows[i], query, 0);
    const start = rows[i] * k;
    for (let e = 0; e < found.k && found.names[i * found.k + e] !== MISSING; e++) {
      const place = candidates[found.names[i * found.k + e]];
      known.copy(place, other, 0);
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
