/** The program that searches lists of candidates on an engine, replayed for one batch of queries after another. */

import { nextTurn } from "../../../core/event-loop.js";
import type { StopSignal } from "../../../core/validation.js";
import type { Engine, Executable } from "../../../engine/engine.js";
import { type ListTensors, MISSING, PANEL, searchLists } from "../../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../../engine/program.js";
import { type Metric, rowWidth, type Vectors, writeCandidate, writeQuery } from "./search-vectors.js";

/** Candidates grouped into lists: list l holds the candidates order[start[l]] … order[start[l + 1] − 1]. */
export interface Lists {
  readonly order: Uint32Array;
  readonly start: Uint32Array;
}

/** Multiply-adds of one replay of an engine that names none: a few tenths of a second between two reports of progress. */
const REPLAY_WORK = 4e9;
/** Queries per block of the kernel; a replay has a multiple of this number. */
const BLOCK = 64;
/** Minimum number of blocks per thread and replay, so that no thread is idle. */
const MIN_BLOCKS_PER_THREAD = 2;
/** Maximum number of queries per replay: they take a few megabytes. */
const MAX_ROWS = 16_384;

/** Names and scores. */
type BatchResult = readonly [ArrayLike<number>, ArrayLike<number>];

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

/** The queries, and the candidate that each of them must not find. */
export interface Queries {
  readonly vectors: Vectors;
  /** Indices of the queries, in the order in which they are searched. */
  readonly order: Uint32Array;
  /** For each query, the candidate that is the query itself and is skipped; `MISSING` for none. */
  readonly self?: Uint32Array;
}

/** The k best candidates of each query, best first; padded with `MISSING` and −Infinity if there are fewer. */
export interface Found {
  readonly k: number;
  /** Indices of the candidates, queries × k. */
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
  /** Each query probes the lists of its `probes` nearest centres; without it there is one list, which all queries probe. */
  readonly route?: { readonly centers: Vectors; readonly probes: number };
  readonly k: number;
  /** Approximate number of candidates compared with one query; determines how many queries one replay takes. */
  readonly compared: number;
}

export interface SearchHooks {
  readonly signal?: StopSignal;
  /** Queries searched so far; a promise it returns is awaited. */
  readonly onSearched?: (done: number) => void | Promise<void>;
}

export interface Searcher {
  /** Replaces the candidates, for instance by centres that have moved. */
  replaceCandidates(candidates: Vectors): void;
  /**
   * Searches the queries in their order. The result of query order[r] goes to row r of `into`, with `scatter` to row
   * order[r]. Resolves to false if the signal stopped the search.
   */
  search(queries: Queries, into: Found, scatter: boolean, hooks?: SearchHooks): Promise<boolean>;
  dispose(): Promise<void>;
}

/** Compiles a search and writes its candidates. */
export async function openSearch(engine: Engine, input: SearchInput, numQueries: number): Promise<Searcher> {
  const { metric, candidates, lists, route, k, compared } = input;
  const width = rowWidth(metric, candidates.dim);
  const minRows = BLOCK * MIN_BLOCKS_PER_THREAD * engine.numThreads;
  const rowsByWork = Math.ceil((engine.replayWork ?? REPLAY_WORK) / Math.max(1, compared * width) / BLOCK) * BLOCK;
  const rows = Math.min(numQueries, MAX_ROWS, Math.max(minRows, rowsByWork));
  const builder = new ProgramBuilder();
  const queries = builder.input("queries", rows, width);
  const self = builder.input("self", rows, 1, "index");
  const noSelf = builder.constant(new Uint32Array(rows).fill(MISSING), rows, 1, "index");
  const onlyList = builder.constant(new Uint32Array(rows), rows, 1, "index");
  const points = listTensors(builder, lists, width);
  const routes = route === undefined ? undefined : listTensors(builder, oneList(route.centers.count), width);
  let found!: ReturnType<typeof searchLists>;
  builder.segment("search", () => {
    const probes =
      route === undefined || routes === undefined
        ? onlyList
        : searchLists(routes, { queries, own: noSelf, probes: onlyList }, route.probes).names;
    found = searchLists(points, { queries, own: self, probes }, k);
    return [found.names, found.scores];
  });
  const executable = await engine.compile(builder.finish());
  writeLists(executable, points, lists, metric, candidates, width);
  if (route !== undefined && routes !== undefined) {
    writeLists(executable, routes, oneList(route.centers.count), metric, route.centers, width);
  }

  const isQueued = executable.isQueued === true;
  /** Starts the search of a batch. On an engine that queues, the next batch may be started before the result is there. */
  const startBatch = (batch: Uint32Array, { vectors, self: selfOf }: Queries): Promise<BatchResult> => {
    executable.write(queries, (data) => {
      for (let i = 0; i < batch.length; i++) writeQuery(metric, vectors, batch[i], data, i * width);
    });
    executable.write(self, (data) => {
      for (let i = 0; i < batch.length; i++) data[i] = selfOf?.[batch[i]] ?? MISSING;
    });
    executable.run("search");
    const names = executable.read(found.names);
    const scores = isQueued ? executable.read(found.scores) : names.then(() => executable.read(found.scores));
    const result = Promise.all([names, scores]);
    // if the batch before fails, nobody waits for this one
    result.catch(() => undefined);
    return result;
  };
  return {
    replaceCandidates: (changed) => writeLists(executable, points, lists, metric, changed, width),
    async search(all, into, scatter, { signal, onSearched } = {}) {
      const { order } = all;
      const store = async (start: number, result: Promise<BatchResult>) => {
        const [names, scores] = await result;
        const batch = order.subarray(start, start + rows);
        for (let i = 0; i < batch.length; i++) {
          const to = (scatter ? batch[i] : start + i) * k;
          for (let e = 0; e < k; e++) {
            into.names[to + e] = names[i * k + e];
            into.scores[to + e] = scores[i * k + e];
          }
        }
        await onSearched?.(start + batch.length);
        await nextTurn();
      };
      let stored: Promise<void> = Promise.resolve();
      let start = 0;
      for (; start < order.length && !signal?.aborted; start += rows) {
        const result = startBatch(order.subarray(start, start + rows), all);
        // the device computes this batch while the host stores the one before
        await stored;
        stored = store(start, result);
        if (!isQueued) await stored;
      }
      await stored;
      return start >= order.length;
    },
    dispose: () => executable.dispose(),
  };
}

/** First panel of each list; PANEL candidates per panel. */
function panelStarts({ start }: Lists): Uint32Array {
  const panels = new Uint32Array(start.length);
  for (let l = 0; l + 1 < start.length; l++) panels[l + 1] = panels[l] + Math.ceil((start[l + 1] - start[l]) / PANEL);
  return panels;
}

function listTensors(builder: ProgramBuilder, lists: Lists, width: number): ListTensors {
  const starts = panelStarts(lists);
  const numPanels = starts[starts.length - 1];
  return {
    panels: builder.input("panels", numPanels * width, PANEL),
    names: builder.input("names", numPanels, PANEL, "index"),
    starts: builder.constant(starts, starts.length, 1, "index"),
  };
}

/** Writes the candidates into the panels of their lists in the engine's memory. */
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
  // a panel is gathered row by row, then transposed: the kernel reads column c of all its candidates at once
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
