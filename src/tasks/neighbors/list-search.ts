/** Programs that search lists of candidates: the memory they take and the loop over parts of the queries. */

import { nextTurn } from "../../core/event-loop.js";
import type { Engine, Executable } from "../../engine/engine.js";
import { type ListTensors, MISSING, PANEL, searchLists } from "../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../engine/program.js";
import { type Metric, rowWidth, type Vectors, writeCandidate, writeQuery } from "./vectors.js";

/** Candidates by list: list l holds the candidates order[start[l]] … order[start[l + 1] − 1]. */
export interface Lists {
  readonly order: Uint32Array;
  readonly start: Uint32Array;
}

/** Multiply-adds of one replay: some tenths of a second between two reports of progress. */
const REPLAY_WORK = 4e9;
/** Queries of one replay: at least two blocks of 64 for each thread, at most as many as take a few megabytes. */
const BLOCK = 64;
const MIN_BLOCKS_PER_THREAD = 2;
const MAX_ROWS = 16_384;

/** All candidates as one list. */
export function oneList(count: number): Lists {
  return { order: Uint32Array.from({ length: count }, (_, i) => i), start: Uint32Array.of(0, count) };
}

/** Candidates grouped by the list each belongs to, ascending within a list. */
export function groupByList(listOf: Uint32Array, numLists: number): Lists {
  const start = new Uint32Array(numLists + 1);
  for (let i = 0; i < listOf.length; i++) start[listOf[i] + 1]++;
  for (let l = 0; l < numLists; l++) start[l + 1] += start[l];
  const next = start.slice(0, numLists);
  const order = new Uint32Array(listOf.length);
  for (let i = 0; i < listOf.length; i++) order[next[listOf[i]]++] = i;
  return { order, start };
}

/** Which queries are searched, and what each leaves out. */
export interface Queries {
  readonly vectors: Vectors;
  /** Numbers of the queries, in the order in which they are searched. */
  readonly order: Uint32Array;
  /** The candidate that a query leaves out, by the number of the query; `MISSING` for none. */
  readonly own?: Uint32Array;
}

/** The k best candidates of each query, best first; `MISSING` and −Infinity where there are fewer. */
export interface Found {
  readonly k: number;
  readonly names: Uint32Array;
  readonly scores: Float32Array;
}

export function emptyFound(numQueries: number, k: number): Found {
  return {
    k,
    names: new Uint32Array(numQueries * k).fill(MISSING),
    scores: new Float32Array(numQueries * k).fill(-Infinity),
  };
}

export interface SearchInput {
  readonly metric: Metric;
  readonly candidates: Vectors;
  readonly lists: Lists;
  /** Each query probes the lists of its `probes` nearest centres; absent: there is one list, which all probe. */
  readonly route?: { readonly centers: Vectors; readonly probes: number };
  readonly k: number;
  /** Candidates compared with one query, about; how many queries make a replay depends on it. */
  readonly compared: number;
}

export interface SearchHooks {
  readonly signal?: AbortSignal;
  /** Queries searched so far; a promise it returns is awaited. */
  readonly onSearched?: (done: number) => void | Promise<void>;
}

export interface Searcher {
  /** Replaces the candidates of a search without lists, such as centres that moved. */
  replaceCandidates(candidates: Vectors): void;
  /** Searches the queries in their order; result r belongs to query order[r], or where `scatter` is set to row order[r]. */
  search(queries: Queries, into: Found, scatter: boolean, hooks?: SearchHooks): Promise<boolean>;
  dispose(): Promise<void>;
}

/** Compiles a search and writes its candidates. */
export async function openSearch(engine: Engine, input: SearchInput, numQueries: number): Promise<Searcher> {
  const { metric, candidates, lists, route, k, compared } = input;
  const width = rowWidth(metric, candidates.dim);
  const fewest = BLOCK * MIN_BLOCKS_PER_THREAD * engine.numThreads;
  const wanted = Math.max(fewest, Math.ceil(REPLAY_WORK / Math.max(1, compared * width) / BLOCK) * BLOCK);
  const rows = Math.min(numQueries, MAX_ROWS, wanted);
  const builder = new ProgramBuilder();
  const queries = builder.input("queries", rows, width);
  const own = builder.input("own", rows, 1, "index");
  const nothing = builder.constant(new Uint32Array(rows).fill(MISSING), rows, 1, "index");
  const onlyList = builder.constant(new Uint32Array(rows), rows, 1, "index");
  const points = listTensors(builder, lists, width);
  const routes = route === undefined ? undefined : listTensors(builder, oneList(route.centers.count), width);
  let found!: ReturnType<typeof searchLists>;
  builder.segment("search", () => {
    const probes =
      route === undefined || routes === undefined
        ? onlyList
        : searchLists(routes, { queries, own: nothing, probes: onlyList }, route.probes).names;
    found = searchLists(points, { queries, own, probes }, k);
    return [found.names, found.scores];
  });
  const executable = await engine.compile(builder.finish());
  writeLists(executable, points, lists, metric, candidates, width);
  if (route !== undefined && routes !== undefined) {
    writeLists(executable, routes, oneList(route.centers.count), metric, route.centers, width);
  }

  const searchPart = (part: Uint32Array, given: Queries) => {
    executable.write(queries, (data) => {
      for (let i = 0; i < part.length; i++) writeQuery(metric, given.vectors, part[i], data, i * width);
    });
    executable.write(own, (data) => {
      for (let i = 0; i < part.length; i++) data[i] = given.own?.[part[i]] ?? MISSING;
    });
    executable.run("search");
    return { names: executable.read(found.names), scores: executable.read(found.scores) };
  };
  return {
    replaceCandidates: (changed) => writeLists(executable, points, lists, metric, changed, width),
    async search(given, into, scatter, { signal, onSearched } = {}) {
      for (let start = 0; start < given.order.length; start += rows) {
        if (signal?.aborted) return false;
        const part = given.order.subarray(start, start + rows);
        const { names, scores } = searchPart(part, given);
        for (let i = 0; i < part.length; i++) {
          const to = (scatter ? part[i] : start + i) * k;
          for (let e = 0; e < k; e++) {
            into.names[to + e] = names[i * k + e];
            into.scores[to + e] = scores[i * k + e];
          }
        }
        await onSearched?.(start + part.length);
        await nextTurn();
      }
      return true;
    },
    dispose: () => executable.dispose(),
  };
}

function panelsOf({ start }: Lists): Uint32Array {
  const panels = new Uint32Array(start.length);
  for (let l = 0; l + 1 < start.length; l++) panels[l + 1] = panels[l] + Math.ceil((start[l + 1] - start[l]) / PANEL);
  return panels;
}

function listTensors(builder: ProgramBuilder, lists: Lists, width: number): ListTensors {
  const starts = panelsOf(lists);
  const numPanels = starts[starts.length - 1];
  return {
    panels: builder.input("panels", numPanels * width, PANEL),
    names: builder.input("names", numPanels, PANEL, "index"),
    starts: builder.constant(starts, starts.length, 1, "index"),
  };
}

/** Writes candidates into the panels of their lists, without a copy between. */
function writeLists(
  executable: Executable,
  tensors: { readonly panels: Tensor; readonly names: Tensor },
  lists: Lists,
  metric: Metric,
  candidates: Vectors,
  width: number,
): void {
  const { order, start } = lists;
  executable.write(tensors.names, (names) => {
    let at = 0;
    for (let l = 0; l + 1 < start.length; l++) {
      for (let e = start[l]; e < start[l + 1]; e++) names[at++] = order[e];
      for (; at % PANEL !== 0; at++) names[at] = MISSING;
    }
  });
  // a panel is gathered row by row, then written in its own order
  const rows = new Float32Array(PANEL * width);
  const panel = new Float32Array(PANEL * width);
  executable.write(tensors.panels, (panels) => {
    let at = 0;
    for (let l = 0; l + 1 < start.length; l++) {
      for (let first = start[l]; first < start[l + 1]; first += PANEL) {
        const count = Math.min(PANEL, start[l + 1] - first);
        for (let j = 0; j < count; j++) writeCandidate(metric, candidates, order[first + j], rows, j * width);
        rows.fill(0, count * width);
        for (let c = 0, to = 0; c < width; c++) for (let j = c; j < rows.length; j += width) panel[to++] = rows[j];
        panels.set(panel, at);
        at += panel.length;
      }
    }
  });
}
