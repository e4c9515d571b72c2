/** Reads the graph of a command, and notes about it. */

import { basename } from "node:path";
import type { Multiplex } from "../../graph/multiplex.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import type { ReadingProgress } from "../../io/graph/reading-progress.js";
import { formatBytes, formatCount, formatSeconds, plural } from "../../report/format.js";
import type { SourceRequest } from "../options/source-options.js";
import { showBar } from "../terminal/progress.js";

/** Seconds of reading before progress is shown. */
const SILENT_SECONDS = 1;

export async function loadSource({ sources, load }: SourceRequest, quiet: boolean): Promise<LoadedGraph> {
  const { loadGraph } = await import("../../io/graph/load-graph.js");
  const reading = showReading(quiet);
  try {
    return await loadGraph(sources, { ...load, onProgress: reading.update });
  } finally {
    reading.end();
  }
}

/** Progress of reading a source, shown after the first second. */
export function showReading(quiet: boolean) {
  const bar = showBar(1, quiet, { last: false });
  const begun = performance.now() / 1000;
  let current = { step: "", begun };
  return {
    update(progress: ReadingProgress): void {
      const now = performance.now() / 1000;
      if (current.step !== progress.step) current = { step: progress.step, begun: now };
      if (now - begun < SILENT_SECONDS) return;
      bar.update(progress.share ?? Number.NaN, () => readingWords(progress, now - current.begun));
    },
    end: () => bar.end(),
  };
}

function readingWords({ step, file, bytes, totalBytes, rows, estimated }: ReadingProgress, seconds: number): string[] {
  if (file === undefined || bytes === undefined || totalBytes === undefined) {
    return [`${step}: ${seconds < 60 ? `${Math.round(seconds)} s` : formatSeconds(seconds)}`];
  }
  const shown =
    rows === undefined ? [] : [`${estimated ? "about " : ""}${formatCount(estimated ? roughly(rows) : rows)} rows`];
  return [`${step}: ${formatBytes(bytes)} of ${formatBytes(totalBytes)}`, ...shown, basename(file)];
}

/** Two significant digits, for estimates. */
function roughly(rows: number): number {
  return Number(rows.toPrecision(2));
}

/** Notes on a graph; none is an error. */
export function graphNotes(graph: Multiplex & { readonly notes?: readonly string[] }): string[] {
  const { relations } = graph;
  const ordinary = `one relation only ("${relations[0]?.name}"): this is an ordinary graph; vectors are learnt as usual.`;
  const isOrdinary = relations.length === 1 && relations[0].numEdges > 0;
  return [...(isOrdinary ? [ordinary] : []), ...readingNotes(graph)];
}

/** Notes on edges that were dropped or merged when they were read. */
export function readingNotes(graph: Multiplex & { readonly notes?: readonly string[] }): string[] {
  const notes = [...(graph.notes ?? [])];
  const { relations, report } = graph;
  const empty = relations.filter(({ numEdges }) => numEdges === 0).map(({ name }) => `"${name}"`);
  if (empty.length > 0) {
    const shown = empty.slice(0, 5).join(", ") + (empty.length > 5 ? ", …" : "");
    notes.push(`${plural(empty.length, "relation")} without edges: ${shown}.`);
  }
  const tiny = report.tinyWeights ?? 0;
  const zero = report.zeroWeights - tiny;
  const changes = [
    report.selfLoops > 0 ? `${plural(report.selfLoops, "self-loop")} dropped` : "",
    report.parallelEdges > 0 ? `${plural(report.parallelEdges, "repeated edge")} merged` : "",
    zero > 0 ? `${plural(zero, "edge")} of weight zero dropped` : "",
    tiny > 0 ? `${plural(tiny, "edge")} with a weight too small for single precision dropped` : "",
  ].filter((change) => change !== "");
  if (changes.length > 0) notes.push(`${changes.join(", ")}.`);
  return notes;
}

/** Nodes without an edge in any relation. */
export function countIsolated({ numNodes, relations, directed }: Multiplex): number {
  const touched = new Uint8Array(numNodes);
  for (const { rowStart, columns } of relations) {
    for (let row = 0; row < numNodes; row++) if (rowStart[row + 1] > rowStart[row]) touched[row] = 1;
    if (directed) for (const column of columns) touched[column] = 1;
  }
  let isolated = 0;
  for (const flag of touched) if (flag === 0) isolated++;
  return isolated;
}
