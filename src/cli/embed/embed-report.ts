/** The parts of a run's report that are computed from graph and vectors: map, degrees, nearest nodes. */

import type { Embedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import type { RunRecord } from "../../core/record.js";
import { Rng } from "../../core/rng.js";
import { addWork, eigenWork, type Work } from "../../core/work.js";
import type { Engine } from "../../engine/engine.js";
import { describeGraph } from "../../graph/describe.js";
import type { Multiplex } from "../../graph/multiplex.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import type { UserColumns } from "../../io/sniff/choose-columns.js";
import { loadLabels } from "../../io/tables/labels.js";
import { formatCount, formatNumber, formatSeconds, plural } from "../../report/format.js";
import type { Portrait, RunReport } from "../../report/run-report.js";
import { nearestNeighbors, neighborsInRow } from "../../tasks/neighbors/nearest-neighbors.js";
import { pca, tsne } from "../../tasks/projection/index.js";
import type { Output } from "../terminal/output.js";

/** Nodes on the map; t-SNE of this many takes two or three seconds on two cores. */
const MAX_POINTS = 3000;
const ITERATIONS = 500;
const PORTRAITS = 4;
const NEAREST = 6;
/** Entries of a graph whose overlaps are computed; `hmge inspect` computes those of larger graphs. */
const MAX_OVERLAP_ENTRIES = 5_000_000;

/** Multiply-adds of t-SNE for each point and iteration: two or three seconds for 3000 points on two cores. */
const POINT_WORK = 2800;

/** Work of preparing a report. */
export function reportWork({ numNodes, relations }: Pick<Multiplex, "numNodes" | "relations">, dim: number): Work {
  const points = Math.min(numNodes, MAX_POINTS);
  const entries = relations.reduce((sum, { columns }) => sum + columns.length, 0);
  const size = Math.min(points, dim);
  return addWork(
    { gathered: points ** 2 * dim + ITERATIONS * points * POINT_WORK, programs: 2 },
    { loops: (points * dim * size) / 2 + 4 * PORTRAITS * numNodes * dim },
    eigenWork(size),
    { entries: (entries <= MAX_OVERLAP_ENTRIES ? 3 : 2) * entries + relations.length * numNodes },
  );
}

/** The labels of each node, in the order of the graph. */
export type ReportLabels = readonly (readonly string[])[];

/** Reads the labels of `--labels`, or those of the dataset folder. */
export async function readReportLabels(
  path: string | undefined,
  graph: LoadedGraph,
  output: Pick<Output, "note">,
  columns: UserColumns,
): Promise<ReportLabels | undefined> {
  const file = path ?? graph.labelsFile;
  if (file === undefined) return undefined;
  const { byNode } = await loadLabels(file, undefined, path === undefined ? undefined : columns);
  const labels = graph.ids.map((id) => byNode.get(id) ?? []);
  const labelled = labels.filter((list) => list.length > 0).length;
  if (labelled === 0 && path !== undefined) {
    throw new InputError(
      `${path}: none of its ${plural(byNode.size, "node")} is in the graph, whose ids look like ${JSON.stringify(graph.ids[0])}. Check that both use the same ids.`,
    );
  }
  const unknown = byNode.size - labelled;
  if (unknown > 0) output.note(`note: ${file}: ${plural(unknown, "labelled node")} not in the graph, left out`);
  return labelled === 0 ? undefined : labels;
}

export interface ReportInput {
  readonly graph: LoadedGraph;
  readonly embedding: Embedding;
  readonly labels?: ReportLabels;
  readonly engine: Engine;
  readonly signal: AbortSignal;
  readonly command: string;
  /** Called with the number of finished steps of the map. */
  readonly onStep?: (done: number, of: number) => void;
}

/** Computes everything except the record. */
async function prepareReport(input: ReportInput): Promise<Omit<RunReport, "record">> {
  const { graph, command } = input;
  const degrees = countDegrees(graph);
  const entries = graph.relations.reduce((sum, { columns }) => sum + columns.length, 0);
  const overlap = entries <= MAX_OVERLAP_ENTRIES ? describeGraph(graph).overlap : undefined;
  return {
    degrees,
    nodesWithEdges: graph.relations.map(
      (relation) => countDegrees({ ...graph, relations: [relation] }).filter(Boolean).length,
    ),
    overlap,
    map: await makeMap(input, degrees),
    portraits: await makePortraits(input, degrees),
    command,
  };
}

/** Number of edges of each node over all relations, in both directions. */
function countDegrees({ numNodes, relations, directed }: Pick<LoadedGraph, "numNodes" | "relations" | "directed">) {
  const degrees = new Uint32Array(numNodes);
  for (const { rowStart, columns } of relations) {
    for (let i = 0; i < numNodes; i++) degrees[i] += rowStart[i + 1] - rowStart[i];
    if (directed) for (let k = 0; k < columns.length; k++) degrees[columns[k]]++;
  }
  return degrees;
}

async function makeMap(
  { embedding, labels, engine, signal, onStep }: ReportInput,
  degrees: Uint32Array,
): Promise<RunReport["map"]> {
  const begin = performance.now();
  const places = samplePlaces(embedding.ids.length);
  const sample = rowsAt(embedding, places);
  const [coordinates, how] = signal.aborted
    ? projectQuickly(sample, "because the run was interrupted")
    : await projectByTsne(sample, engine, signal, onStep);
  const points = places.map((place, i) => {
    const nodeLabels = labels?.[place] ?? [];
    const degree = degrees[place];
    return {
      x: coordinates[2 * i],
      y: coordinates[2 * i + 1],
      label: labels === undefined ? Math.log10(1 + degree) : nodeLabels.at(0),
      title: [embedding.ids[place], ...nodeLabels, plural(degree, "edge")].join(" · "),
    };
  });
  const sampled = places.length < embedding.ids.length ? " The nodes are a random sample with a fixed seed." : "";
  return {
    points,
    words: `${how} in ${formatSeconds((performance.now() - begin) / 1000)}.${sampled}`,
    colorLabel: labels === undefined ? "log₁₀ (1 + edges)" : "label",
  };
}

function projectQuickly(sample: Embedding, why: string): [Float32Array, string] {
  const { vectors, shares } = pca(sample);
  const words = shares.map((share) => `${formatNumber(100 * share)} %`).join(" and ");
  return [vectors, `First two principal components (${words} of the variance), ${why},`];
}

async function projectByTsne(
  sample: Embedding,
  engine: Engine,
  signal: AbortSignal,
  onStep: ReportInput["onStep"],
): Promise<[Float32Array, string]> {
  const { vectors, iterations, perplexity } = await tsne(sample, {
    iterations: ITERATIONS,
    engine,
    signal,
    onProgress: ({ stage, done, total }) => (stage === "map" ? onStep?.(done, total) : undefined),
  });
  if (iterations === 0) return projectQuickly(sample, "because there are too few nodes for t-SNE");
  return [vectors, `t-SNE with perplexity ${formatNumber(perplexity)}, ${formatCount(iterations)} iterations,`];
}

/** All positions, or a random sample with a fixed seed, ascending. */
function samplePlaces(count: number): number[] {
  if (count <= MAX_POINTS) return Array.from({ length: count }, (_, i) => i);
  const order = new Uint32Array(count);
  new Rng(1, "report/sample").permutation(order);
  return [...order.subarray(0, MAX_POINTS).sort()];
}

function rowsAt({ ids, dim, vectors }: Embedding, places: readonly number[]): Embedding {
  const rows = new Float32Array(places.length * dim);
  places.forEach((place, i) => {
    rows.set(vectors.subarray(place * dim, (place + 1) * dim), i * dim);
  });
  return { ids: places.map((place) => ids[place]), dim, vectors: rows };
}

/** The nodes with the most edges and their nearest nodes, as `hmge neighbors` finds them. */
async function makePortraits({ embedding, labels, engine }: ReportInput, degrees: Uint32Array): Promise<Portrait[]> {
  const places = mostConnected(degrees, PORTRAITS);
  const nodes = places.map((place) => embedding.ids[place]);
  const found = await nearestNeighbors(embedding, { nodes, k: NEAREST, method: "exact", engine });
  const index = new Map(embedding.ids.map((id, i) => [id, i]));
  const labelOf = (place: number | undefined) => (place === undefined ? "" : (labels?.[place] ?? []).join(", "));
  return places.map((place, i) => ({
    node: embedding.ids[place],
    degree: degrees[place],
    label: labelOf(place),
    nearest: neighborsInRow(found, i).map(({ node, cosine }) => {
      return { node, cosine, label: labelOf(index.get(node)) };
    }),
  }));
}

function mostConnected(degrees: Uint32Array, count: number): number[] {
  const best: number[] = [];
  degrees.forEach((degree, i) => {
    if (best.length === count && degree <= degrees[best[count - 1]]) return;
    let place = best.length;
    while (place > 0 && degrees[best[place - 1]] < degree) place--;
    best.splice(place, 0, i);
    if (best.length > count) best.pop();
  });
  return best;
}

/** Draws the page of a record; undefined, after a note, if that fails. */
export type PageMaker = (record: RunRecord) => Promise<string | undefined>;

/** Prepares the page. If that fails, a note says so and the run continues without a page. */
export async function preparePage(input: ReportInput, note: (text: string) => void): Promise<PageMaker | undefined> {
  const noted = (error: unknown) => {
    note(`note: the report could not be made: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  };
  const prepared = await prepareReport(input).catch(noted);
  if (prepared === undefined) return undefined;
  return async (record) => {
    const { runReport } = await import("../../report/run-report.js");
    return runReport({ ...prepared, record }).catch(noted);
  };
}
