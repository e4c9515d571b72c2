/** Computes the sections of a run's report that need the graph and the vectors: map, degrees, nearest nodes. */

import type { Embedding, VectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import type { RunRecord } from "../../core/record.js";
import { Rng } from "../../core/rng.js";
import { addWork, eigenWork, type Work } from "../../core/work.js";
import type { Engine } from "../../engine/engine.js";
import { describeGraph } from "../../graph/describe.js";
import type { Multiplex } from "../../graph/multiplex.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { loadLabels } from "../../io/tables/labels.js";
import { formatCount, formatNumber, formatSeconds, plural } from "../../report/format.js";
import type { NodeNeighbors, RunReport } from "../../report/run-report.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { nearestOfFew } from "../../tasks/neighbors/nearest-of-few.js";
import { pca, tsne } from "../../tasks/projection/index.js";
import { missingLabels } from "../terminal/missing-labels.js";
import type { Output } from "../terminal/output.js";

/** Maximum number of nodes on the map; t-SNE of so many nodes takes two or three seconds on two cores. */
const MAX_POINTS = 3000;
/** Iterations of t-SNE. */
const ITERATIONS = 500;
/** Number of nodes whose nearest nodes are listed. */
const NUM_LISTED = 4;
/** Number of nearest nodes of each listed node. */
const NUM_NEAREST = 6;
/**
 * Maximum number of adjacency entries of a graph for which the report shows the overlap of relations; `hmge inspect` shows it for larger
 * graphs.
 */
const MAX_OVERLAP_ENTRIES = 5_000_000;

/** Multiply-adds of t-SNE per point and iteration, from the two or three seconds that 3000 points take on two cores. */
const TSNE_MULTIPLY_ADDS = 2800;

/** Estimated work of computing a report. */
export function reportWork({ numNodes, relations }: Pick<Multiplex, "numNodes" | "relations">, dim: number): Work {
  const points = Math.min(numNodes, MAX_POINTS);
  const entries = relations.reduce((sum, { columns }) => sum + columns.length, 0);
  const size = Math.min(points, dim);
  return addWork(
    { gathered: points ** 2 * dim + ITERATIONS * points * TSNE_MULTIPLY_ADDS, programs: 2 },
    { loops: (points * dim * size) / 2 + 4 * NUM_LISTED * numNodes * dim },
    eigenWork(size),
    { entries: (entries <= MAX_OVERLAP_ENTRIES ? 3 : 2) * entries + relations.length * numNodes },
  );
}

/** The labels of each node, in the order of the graph. */
export type ReportLabels = readonly (readonly string[])[];

/** Reads the labels from `--labels` or from the dataset folder; undefined if there are none. */
export async function readReportLabels(
  path: string | undefined,
  graph: Pick<LoadedGraph, "ids" | "labelsFile">,
  output: Pick<Output, "note">,
  columns: UserColumns,
): Promise<ReportLabels | undefined> {
  const file = path ?? graph.labelsFile;
  if (file === undefined) return undefined;
  const read = await loadLabels(file, undefined, path === undefined ? undefined : columns);
  const { byNode } = read;
  const labels = graph.ids.map((id) => byNode.get(id) ?? []);
  const labelled = labels.filter((list) => list.length > 0).length;
  if (labelled === 0 && path !== undefined) {
    throw new InputError(
      `${path}: none of its ${plural(byNode.size, "labelled node")} is in the graph, whose ids look like ${JSON.stringify(graph.ids[0])}. Check that both use the same ids.`,
    );
  }
  const known = new Set(graph.ids);
  const missing = missingLabels(read, (id) => known.has(id), "graph");
  if (missing !== undefined) output.note(`note: ${file}: ${missing.note}`);
  return labelled === 0 ? undefined : labels;
}

export interface ReportInput {
  readonly graph: LoadedGraph;
  readonly vectors: VectorRows;
  readonly labels?: ReportLabels;
  readonly engine: Engine;
  readonly signal: AbortSignal;
  readonly command: string;
  /** Called after each iteration of t-SNE. */
  readonly onStep?: (done: number, total: number) => void;
}

/** Computes all sections of the report except the record of the run. */
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
    nearestNodes: listNearestNodes(input, degrees),
    command,
  };
}

/** Degree of each node: incoming and outgoing edges, summed over all relations. */
export function countDegrees({
  numNodes,
  relations,
  directed,
}: Pick<LoadedGraph, "numNodes" | "relations" | "directed">): Uint32Array {
  const degrees = new Uint32Array(numNodes);
  for (const { rowStart, columns } of relations) {
    for (let i = 0; i < numNodes; i++) degrees[i] += rowStart[i + 1] - rowStart[i];
    if (directed) for (let k = 0; k < columns.length; k++) degrees[columns[k]]++;
  }
  return degrees;
}

const INTERRUPTED = "because the run was interrupted";

async function makeMap(
  { vectors: { ids, dim, at }, labels, engine, signal, onStep }: ReportInput,
  degrees: Uint32Array,
): Promise<RunReport["map"]> {
  const begin = performance.now();
  const nodes = sampleNodes(ids.length);
  const sample = { ids: nodes.map((node) => ids[node]), dim, vectors: at(Uint32Array.from(nodes)) };
  const [coordinates, method] = signal.aborted
    ? projectByPca(sample, INTERRUPTED)
    : await projectByTsne(sample, engine, signal, onStep);
  const points = nodes.map((node, i) => {
    const nodeLabels = labels?.[node] ?? [];
    const degree = degrees[node];
    return {
      x: coordinates[2 * i],
      y: coordinates[2 * i + 1],
      label: labels === undefined ? Math.log10(1 + degree) : nodeLabels.at(0),
      title: [ids[node], ...nodeLabels, plural(degree, "edge")].join(" · "),
    };
  });
  const sampleNote = nodes.length < ids.length ? " The nodes are a random sample with a fixed seed." : "";
  return {
    points,
    caption: `${method} in ${formatSeconds((performance.now() - begin) / 1000)}.${sampleNote}`,
    colorLabel: labels === undefined ? "log₁₀ (1 + edges)" : "label",
  };
}

/** Coordinates by PCA, and a description of the method; `reason` says why t-SNE was not used. */
function projectByPca(sample: Embedding, reason: string): [Float32Array, string] {
  const { vectors, shares } = pca(sample);
  const percentages = shares.map((share) => `${formatNumber(100 * share)} %`).join(" and ");
  return [vectors, `First two principal components (${percentages} of the variance), ${reason},`];
}

async function projectByTsne(
  sample: Embedding,
  engine: Engine,
  signal: AbortSignal,
  onStep: ReportInput["onStep"],
): Promise<[Float32Array, string]> {
  const { vectors, iterations, perplexity, stopReason } = await tsne(sample, {
    iterations: ITERATIONS,
    engine,
    signal,
    onProgress: ({ stage, done, total }) => (stage === "map" ? onStep?.(done, total) : undefined),
  });
  if (iterations === 0 && stopReason === "aborted") return projectByPca(sample, INTERRUPTED);
  if (iterations === 0) return projectByPca(sample, "because there are too few nodes for t-SNE");
  return [vectors, `t-SNE with perplexity ${formatNumber(perplexity)}, ${formatCount(iterations)} iterations,`];
}

/** Indices of the nodes on the map, ascending: all nodes or, if there are too many, a random sample with a fixed seed. */
function sampleNodes(count: number): number[] {
  if (count <= MAX_POINTS) return Array.from({ length: count }, (_, i) => i);
  const order = new Uint32Array(count);
  new Rng(1, "report/sample").permutation(order);
  return [...order.subarray(0, MAX_POINTS).sort()];
}

/** The nodes with the most edges and their nearest nodes, computed like `hmge neighbors`. */
function listNearestNodes({ vectors, labels }: ReportInput, degrees: Uint32Array): NodeNeighbors[] {
  const { ids } = vectors;
  const nodes = nodesOfHighestDegree(degrees, NUM_LISTED);
  const lists = nearestOfFew(vectors, nodes, NUM_NEAREST);
  const labelOf = (node: number) => (labels?.[node] ?? []).join(", ");
  return nodes.map((node, i) => ({
    node: ids[node],
    degree: degrees[node],
    label: labelOf(node),
    nearest: lists[i].map(({ node: near, cosine }) => ({ node: ids[near], cosine, label: labelOf(near) })),
  }));
}

function nodesOfHighestDegree(degrees: Uint32Array, count: number): number[] {
  const best: number[] = [];
  degrees.forEach((degree, i) => {
    if (best.length === count && degree <= degrees[best[count - 1]]) return;
    let rank = best.length;
    while (rank > 0 && degrees[best[rank - 1]] < degree) rank--;
    best.splice(rank, 0, i);
    if (best.length > count) best.pop();
  });
  return best;
}

/** Renders the HTML page of a record. If this fails, it prints a note and returns undefined. */
export type PageRenderer = (record: RunRecord) => Promise<string | undefined>;

/** Computes the sections of the report. If this fails, it prints a note and returns undefined; the run continues without a report. */
export async function preparePage(input: ReportInput, note: (text: string) => void): Promise<PageRenderer | undefined> {
  const noteFailure = (error: unknown) => {
    note(`note: the report could not be made: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  };
  const prepared = await prepareReport(input).catch(noteFailure);
  if (prepared === undefined) return undefined;
  return async (record) => {
    const { runReport } = await import("../../report/run-report.js");
    return runReport({ ...prepared, record }).catch(noteFailure);
  };
}
