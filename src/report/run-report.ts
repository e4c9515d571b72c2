/** The report page of one run, from its record and the data of its charts. */

import type { RunRecord } from "../core/record.js";
import {
  degreeHistogram,
  heatmap,
  lossChart,
  relationWeightsChart,
  type ScatterPoint,
  scatter,
} from "./charts/index.js";
import { allInWords, diagnosisInWords, divergenceInWords, isCollapsed, viewsInWords } from "./diagnosis.js";
import { formatBytes, formatCount, formatNumber, formatSeconds, plural } from "./format.js";
import { type Block, htmlPage, type Section } from "./page.js";
import type { TableCell } from "./table.js";

/** A node and its nearest nodes. */
export interface NodeNeighbors {
  readonly node: string;
  readonly degree: number;
  /** Labels of the node as text; empty without labels. */
  readonly label: string;
  readonly nearest: readonly { readonly node: string; readonly cosine: number; readonly label: string }[];
}

export interface RunReport {
  readonly record: RunRecord;
  /** Number of edges of each node, over all relations. */
  readonly degrees: ArrayLike<number>;
  /** Number of nodes with an edge, for each relation. */
  readonly nodesWithEdges: readonly number[];
  /** Edges in both relations divided by edges in at least one, for each pair of relations. */
  readonly overlap?: readonly (readonly number[])[];
  readonly map: {
    readonly points: readonly ScatterPoint[];
    /** One or two sentences about the method and time. */
    readonly caption: string;
    readonly colorLabel: string;
  };
  /** Nearest nodes of some nodes. */
  readonly nearestNodes: readonly NodeNeighbors[];
  /** The command that repeats the run. */
  readonly command: string;
}

/** Longer tables are folded; charts of more relations are not drawn. Not tuned. */
const MAX_ROWS = 24;
const MAX_BARS = 60;
const MAX_OVERLAPS = 24;

const REASONS: Record<RunRecord["stopReason"], string> = {
  patience: "It ended because the loss stopped falling.",
  epochs: "It ended after the maximum number of epochs.",
  aborted: "It was interrupted; these are the best vectors until then.",
};

const FILES: Readonly<Record<string, string>> = {
  "embeddings.parquet": "the vectors: node, vector",
  "model.safetensors": "all trained parameters",
  "run.json": "the record: options, seed, losses, times, diagnostics",
  "report.html": "this page",
};

/** The page as HTML. */
export async function runReport(report: RunReport): Promise<string> {
  const { record } = report;
  const dim = Number(record.options["dim"]);
  return htmlPage({
    title: `Vectors of ${sourceName(record)}`,
    subtitle: `${plural(dim, "number")} for each of ${plural(record.graph.nodes, "node")}, learnt by ${record.model} (preset ${record.preset}, seed ${record.seed}) ${supervision(record)}`,
    sections: [
      overview(record, dim),
      await mapSection(report),
      await relationsSection(report),
      await trainingSection(record),
      await graphSection(report),
      {
        heading: "Diagnostics",
        blocks: [{ list: allInWords(record.diagnostics, { dim, nodes: record.graph.nodes }) }],
      },
      neighborsSection(report),
      repeatSection(report),
    ],
    footer: `hmge ${record.version}, ${record.created.slice(0, 10)}`,
  });
}

function supervision({ labels }: RunRecord): string {
  if (labels === null) return "without labels";
  return `semi-supervised, from the labels of ${plural(labels.nodes, "node")} in ${plural(labels.classes, "class", "classes")}`;
}

function sourceName({ graph, command }: RunRecord): string {
  const sources = command["sources"];
  const sourceNames = Array.isArray(sources) ? sources.map(String) : [];
  const words = sourceNames.length > 0 ? sourceNames : graph.files;
  if (words.length === 0) return "a query";
  const base = words[0].replace(/[/\\]+$/, "").replace(/^.*[/\\]/, "");
  return words.length === 1 ? base : `${base} and ${plural(words.length - 1, "more file")}`;
}

function overview(record: RunRecord, dim: number): Section {
  const { graph, seconds, diagnostics } = record;
  const size = { dim, nodes: graph.nodes };
  const words = `Vectors: ${diagnosisInWords(diagnostics, size)}.`;
  const diverged = divergenceInWords(record);
  return {
    heading: "In short",
    blocks: [
      {
        numbers: [
          { value: formatCount(graph.nodes), name: graph.nodes === 1 ? "node" : "nodes" },
          { value: formatCount(graph.edges), name: graph.directed ? "directed edges" : "edges" },
          { value: formatCount(graph.relations.length), name: graph.relations.length === 1 ? "relation" : "relations" },
          { value: formatCount(record.epochs), name: "epochs" },
          { value: formatSeconds(seconds.train), name: "of training" },
          { value: diagnostics.effectiveRank.toFixed(1), name: `of ${dim} directions used` },
        ],
      },
      ...(diverged === undefined ? [] : [{ warning: `Warning: ${diverged}.` }]),
      isCollapsed(diagnostics, size) ? { warning: words } : words,
      ...(record.views.length === 0 ? [] : [`Columns: ${viewsInWords(record.views)}.`]),
      ...record.findings.map((finding) => `Found: ${finding}.`),
    ],
  };
}

async function mapSection({ map, record }: RunReport): Promise<Section> {
  const { points, caption, colorLabel } = map;
  const svg = await scatter(points, {
    title: "Map of the nodes",
    description: `${plural(points.length, "node")} in the plane, coloured by ${colorLabel}.`,
    colorLabel: typeof points[0]?.label === "number" ? colorLabel : undefined,
  });
  const shown =
    points.length < record.graph.nodes
      ? `${formatCount(points.length)} of ${plural(record.graph.nodes, "node")}`
      : "All nodes";
  return {
    heading: "Map",
    blocks: [
      { svg, caption: `${shown}, coloured by ${colorLabel}. ${caption} Move the pointer over a dot to see its name.` },
    ],
  };
}

async function relationsSection({ record, nodesWithEdges }: RunReport): Promise<Section> {
  const { graph, relationWeights, diagnostics } = record;
  const names = graph.relations.map(({ name }) => name);
  const blocks: Block[] = [];
  for (const { name, initial, final } of relationWeights) {
    if (final.length < 2 || final.length > MAX_BARS) continue;
    const title = `Weights of the relations: ${name}`;
    const svg = await relationWeightsChart({ relations: names, initial, final }, { title, xLabel: `${name} weight` });
    blocks.push({
      svg,
      caption: `Weight of each relation in the ${name} after training; the mark is its initial weight.`,
    });
  }
  const weighted = graph.relations.some((relation) => relation.weighted);
  const { relations: recovered } = diagnostics.spectralRecovery;
  const rows = graph.relations.map((relation, i): TableCell[] => [
    relation.name,
    relation.edges,
    nodesWithEdges[i],
    ...(weighted ? [relation.weighted ? "yes" : "no"] : []),
    ...relationWeights.flatMap(({ initial, final }) => [initial[i], final[i]]),
    ...(recovered.length > 0 ? [recovered[i].r2] : []),
  ]);
  const header = [
    "relation",
    "edges",
    "nodes",
    ...(weighted ? ["weighted"] : []),
    ...relationWeights.flatMap(({ name }) => {
      const kind = relationWeights.length === 1 ? "weight" : name;
      return [`${kind}, start`, `${kind}, end`];
    }),
    ...(recovered.length > 0 ? ["R²"] : []),
  ];
  const table: Block = { table: { header, rows } };
  blocks.push(rows.length > MAX_ROWS ? { summary: `All ${rows.length} relations`, blocks: [table] } : table);
  if (recovered.length > 0) {
    blocks.push(
      "R²: how well a linear fit on the vectors predicts the relation's leading spectral direction. 1 is exact; near 0 the vectors have lost the relation.",
    );
  }
  return { heading: "Relations", blocks };
}

async function trainingSection({
  losses,
  bestEpoch,
  bestLoss,
  epochs,
  seconds,
  stopReason,
}: RunRecord): Promise<Section> {
  const words = `${plural(epochs, "epoch")} in ${formatSeconds(seconds.train)}, ${formatSeconds(seconds.perEpoch)} each; the vectors are those of epoch ${formatCount(bestEpoch)}, loss ${formatNumber(bestLoss)}. ${REASONS[stopReason]}`;
  return {
    heading: "Training",
    blocks: [
      words,
      ...(losses.length > 1 ? [{ svg: await lossChart(losses, bestEpoch), caption: "Loss by epoch." }] : []),
    ],
  };
}

async function graphSection({ record, degrees, overlap }: RunReport): Promise<Section> {
  const { graph } = record;
  const { selfLoops, parallelEdges, zeroWeights, rows } = graph.import;
  const changes = [
    selfLoops > 0 ? `${plural(selfLoops, "self-loop")} dropped` : "",
    parallelEdges > 0 ? `${plural(parallelEdges, "repeated edge")} merged` : "",
    zeroWeights > 0 ? `${plural(zeroWeights, "edge")} of weight zero dropped` : "",
  ].filter((change) => change !== "");
  const isolated = graph.isolated > 0 ? `; ${plural(graph.isolated, "node")} without an edge` : "";
  const features = graph.features === null ? "" : `; ${plural(graph.features, "feature")} per node`;
  const blocks: Block[] = [
    `${plural(graph.nodes, "node")}, ${plural(graph.edges, graph.directed ? "directed edge" : "edge")} in ${plural(graph.relations.length, "relation")}${isolated}${features}. ${plural(rows, "row")} read${changes.length > 0 ? `: ${changes.join(", ")}` : ""}.`,
    { svg: await degreeHistogram(degrees), caption: "Edges per node, over all relations." },
  ];
  if (overlap !== undefined && overlap.length > 1 && overlap.length <= MAX_OVERLAPS) {
    const names = graph.relations.map(({ name }) => name);
    const data = { rows: names, columns: names, values: overlap };
    const svg = await heatmap(data, { title: "Overlap of the relations", domain: [0, 1] });
    blocks.push({ svg, caption: "Overlap of two relations: edges in both, divided by edges in at least one." });
  }
  return { heading: "Graph", blocks };
}

function neighborsSection({ nearestNodes }: RunReport): Section {
  const labelled = nearestNodes.some(({ nearest }) => nearest.some(({ label }) => label !== ""));
  return {
    heading: "Nearest nodes",
    blocks: [
      "The nearest nodes of the nodes with the most edges, by cosine after subtracting the mean vector, as `hmge neighbors` lists them.",
      {
        columns: nearestNodes.map(({ node, degree, label, nearest }): Block => {
          return {
            caption: `${node}${label === "" ? "" : ` (${label})`}, ${plural(degree, "edge")}`,
            table: {
              header: ["nearest", ...(labelled ? ["label"] : []), "cosine"],
              rows: nearest.map((other) => [other.node, ...(labelled ? [other.label] : []), { value: other.cosine }]),
            },
          };
        }),
      },
    ],
  };
}

function repeatSection({ record, command }: RunReport): Section {
  const { machine, engine, seconds, memory } = record;
  const options = Object.entries({ ...record.options, ...record.training }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return {
    heading: "Files, and how to repeat the run",
    blocks: [
      {
        table: {
          header: ["file", "contents"],
          rows: record.outputs.map((name) => [name, FILES[name] ?? "the vectors in another format"]),
        },
      },
      { code: command },
      `${formatSeconds(seconds.total)} in total on ${machine.cpu} (${plural(machine.cores, "core")}, ${machine.platform}, Node ${machine.node}) with ${engine.description}; peak memory ${formatBytes(memory.peakBytes)}.`,
      { summary: "All options", blocks: [{ table: { header: ["option", "value"], rows: options } }] },
      {
        summary: "Versions and hashes",
        blocks: [
          {
            code: `hmge ${record.version}, kernels ${engine.kernels}\ngraph ${record.graph.hash}\nstarted ${record.started}`,
          },
        ],
      },
    ],
  };
}
