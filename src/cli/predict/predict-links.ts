/** `hmge predict-links`: the most probable missing edges. */

import type { Embedding, TrainedDecoder } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { flag } from "../../core/options.js";
import { quotedNames, shellWord } from "../../core/text.js";
import { readEmbeddings } from "../../io/formats/embedding-files.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { tableFormat, writeTable } from "../../io/results/write-table.js";
import { formatNumber, plural } from "../../report/format.js";
import { table } from "../../report/terminal.js";
import {
  COUNT_OPTION,
  findRelation,
  type LinkPrediction,
  predictLinks as predictMissingLinks,
} from "../../tasks/links/predict-links.js";
import type { Arguments, Command } from "../command.js";
import { requireOutputFile } from "../folder/output-file.js";
import { findRunGraph, GRAPH_OPTIONS, readSourceRecord } from "../folder/run-graph.js";
import { ENGINE_OPTIONS, readEngine } from "../options/engine-option.js";
import { text } from "../options/flag-kinds.js";
import { readStoredDecoder } from "../run/stored-decoder.js";
import type { Output } from "../terminal/output.js";
import { type ProgressBar, showBar } from "../terminal/progress.js";
import { checkLinks, type LinkCheck } from "./check-links.js";

const OPTIONS = {
  relation: text(undefined, {
    value: "NAME",
    doc: "relation of the missing edges; optional if the graph has one relation",
  }),
  node: text(undefined, {
    value: "ID",
    doc: "list only pairs with this node; in a directed graph, only edges that start at it",
  }),
  top: COUNT_OPTION,
  out: text(undefined, {
    value: "FILE",
    doc: "table of all K pairs; the extension chooses the format: .csv, .tsv, .jsonl or .parquet",
    defaultText: "standard output only",
  }),
  overwrite: flag(false, { doc: "replace the --out file if it exists" }),
  ...GRAPH_OPTIONS,
  check: flag(false, {
    doc: "train again without a tenth of the edges, and print how well the decoder and the baselines predict them (ROC-AUC)",
  }),
  ...ENGINE_OPTIONS,
};

export const predictLinks: Command<typeof OPTIONS> = {
  usage: "DIR --relation NAME [options]",
  options: OPTIONS,
  examples: [
    "vectors --relation works-with",
    "vectors --relation works-with --node Ada --top 5",
    "vectors --relation works-with --top 1000 --out missing.csv --graph edges.csv",
  ],
  run: runPredictLinks,
};

/** Steps of the progress bar. */
const STEPS = 1000;
/** Pairs that are printed; --out has all. */
const MAX_PRINTED = 50;
/** Share of common pairs from which on two lists count as nearly the same; not tuned. */
const NEARLY_SAME = 0.8;

async function runPredictLinks(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  if (args.words.length !== 1) {
    throw new InputError(
      `predict-links: ${args.words.length} paths given; expected one, the folder of a run, such as: hmge predict-links vectors --relation NAME`,
    );
  }
  const [folder] = args.words;
  const { values } = args;
  const { out } = values;
  if (out !== undefined) {
    tableFormat(out);
    await requireOutputFile(out, values.overwrite, args);
  }
  const embedding = await readEmbeddings(folder);
  const found = await findRunGraph(values, folder, output.quiet);
  if (found.graph === undefined) {
    throw new InputError(
      `predict-links: ${found.reason}; the graph is needed to leave out edges that exist. Give it with --graph.`,
    );
  }
  const { graph } = found;
  requireSameNodes(folder, embedding, graph);
  const notes = [...found.notes];
  const relation = readRelation(values.relation, graph);
  const record = await readSourceRecord(folder);
  const stored = await readStoredDecoder(folder, embedding.ids);
  const decoder = stored ?? dotDecoder(embedding);
  if (stored === undefined) {
    notes.push(
      `${folder} holds no decoder${record.model === undefined ? "" : ` (model ${record.model})`}: pairs are scored by the dot product of their vectors, the same for every relation.`,
    );
  }
  const engine = await readEngine(values, output);
  let bar: ProgressBar | undefined;
  const result = await predictMissingLinks(decoder, graph, {
    relation,
    node: values.node,
    count: values.top,
    engine,
    onProgress(done) {
      bar ??= showBar(STEPS, output.quiet);
      bar.update(Math.round(STEPS * done), () => [`scoring pairs ${Math.round(100 * done)} %`]);
    },
  });
  if (process.stderr.isTTY === true) bar?.end();
  if (graph.directed && result.symmetric) {
    notes.push("this model scores both directions of a pair alike, so it cannot distinguish them.");
  }
  const check = values.check
    ? await checkLinks(graph, findRelation(graph, relation), record, engine, output)
    : undefined;
  if (out !== undefined) await writeLinks(out, result);
  output.document({ task: "predict-links", embedding: folder, decoder: stored !== undefined, ...result, check, notes });
  if (!output.json) for (const line of resultText(result, graph, output)) output.print(line);
  if (!output.json) output.print(checkText(check, record, found, relation));
  if (out !== undefined && !output.quiet) output.print(`  ${out}`);
  for (const note of notes) output.note(`note: ${note}`);
  return 0;
}

function readRelation(name: string | undefined, { relations }: LoadedGraph): string {
  if (name !== undefined) return name;
  if (relations.length === 1) return relations[0].name;
  const names = relations.map((relation) => relation.name);
  throw new InputError(`--relation: missing; expected one of ${quotedNames(names, 10)}.`);
}

function requireSameNodes(folder: string, { ids }: Embedding, graph: LoadedGraph): void {
  const other = ids.findIndex((id, place) => id !== graph.ids[place]);
  if (other < 0 && ids.length === graph.ids.length) return;
  throw new InputError(
    `predict-links: ${folder} has ${plural(ids.length, "node")}, the graph ${graph.ids.length}; expected the graph that the vectors were learnt from, with the same nodes. Give it with --graph.`,
  );
}

/** Dot products of the vectors, for models without a decoder. */
function dotDecoder(embedding: Embedding): TrainedDecoder {
  return { score: "dot", directed: false, vectors: () => ({ source: embedding }) };
}

async function writeLinks(out: string, { links, baselines, relation }: LinkPrediction): Promise<void> {
  const numbers = (value: (link: LinkPrediction["links"][number]) => number) => Float64Array.from(links, value);
  await writeTable(out, [
    { name: "relation", values: links.map(() => relation) },
    { name: "source", values: links.map(({ source }) => source) },
    { name: "target", values: links.map(({ target }) => target) },
    { name: "score", values: numbers(({ score }) => score) },
    { name: "edges_below", values: numbers(({ edgesBelow }) => edgesBelow) },
    ...baselines.map((name, k) => ({
      name: name.toLowerCase().replaceAll(/[^a-z]+/g, "_"),
      values: numbers((link) => link.baselines[k]),
    })),
    { name: "other_relations", values: links.map(({ otherRelations }) => otherRelations.join(";")) },
  ]);
}

function resultText(result: LinkPrediction, graph: LoadedGraph, { style, ascii, columns }: Output): string[] {
  const { links, baselines, sameAsBaseline } = result;
  const arrow = graph.directed ? "directed" : "undirected";
  const linked = links.some(({ otherRelations }) => otherRelations.length > 0);
  const rows = links
    .slice(0, MAX_PRINTED)
    .map((link) => [
      link.source,
      link.target,
      link.score.toFixed(3),
      `${(100 * link.edgesBelow).toFixed(0)} %`,
      ...link.baselines.map((value) => formatNumber(value)),
      ...(linked ? [link.otherRelations.join(", ")] : []),
    ]);
  const header = ["source", "target", "score", "edges below", ...baselines, ...(linked ? ["also linked in"] : [])];
  const more = links.length > MAX_PRINTED ? [`… and ${links.length - MAX_PRINTED} more in the file of --out`] : [];
  const same = sameAsBaseline === null ? undefined : `${Math.round(100 * sameAsBaseline)} %`;
  return [
    `${style.bold("predict-links")}  ${links.length === 1 ? "the most probable missing edge" : `the ${links.length} most probable missing edges`} of "${result.relation}", ${arrow}; of ${plural(result.numPairs, "possible pair")}`,
    "",
    table(
      [header, ...rows].map((row) => row.map((cell) => (ascii ? cell.replaceAll("–", "-") : cell))),
      {
        ascii,
        width: columns,
        keys: 2, // source and target together name a pair
      },
    ),
    ...more,
    `edges below: share of the relation's edges with a lower score${linked || graph.relations.length === 1 ? "" : "; no pair is linked in another relation"}`,
    ...baselineMeanings(result, graph).map((line) => (ascii ? line.replaceAll("–", "-") : line)),
    ...(same === undefined
      ? []
      : [
          Number(sameAsBaseline) >= NEARLY_SAME
            ? `Counting common neighbours gives nearly the same list: ${same} of these pairs are also the best by Adamic-Adar over all relations.`
            : `${same} of these pairs are also among the best ${links.length} by Adamic-Adar over all relations.`,
        ]),
  ];
}

/** A line for each baseline of the table: what it counts, and in which relations. */
function baselineMeanings({ baselines, relation }: LinkPrediction, { relations }: LoadedGraph): string[] {
  const several = relations.length > 1;
  const meanings: Readonly<Record<string, string>> = {
    "common neighbours": `nodes linked to both${several ? `, in relation "${relation}" only` : ""}`,
    "Adamic–Adar": `nodes linked to both; nodes with fewer links count more${several ? "; in all relations together" : ""}`,
    "degree product": `number of links of one node times that of the other${several ? ", in all relations together" : ""}`,
  };
  return baselines.map((name) => `${name}: ${meanings[name] ?? "a baseline without training"}`);
}

function checkText(
  check: LinkCheck | undefined,
  { model, command }: Awaited<ReturnType<typeof readSourceRecord>>,
  { graph, sources }: { readonly graph: LoadedGraph; readonly sources: readonly string[] },
  relation: string,
): string {
  const percent = (auc: number) => (100 * auc).toFixed(1);
  if (check !== undefined) {
    const better = check.baseline.auc >= check.decoder.auc ? " The baseline is as good or better." : "";
    return `On ${plural(check.edges, "held-out edge")} of "${relation}": ${check.decoder.name} ROC-AUC ${percent(check.decoder.auc)}, best baseline (${check.baseline.name}) ${percent(check.baseline.auc)}.${better}`;
  }
  const columns = [command?.["columns"] ?? []].flat().map(String).join(",");
  const words = [
    ...(sources.length > 0 ? sources : graph.files).map(shellWord),
    ...(columns === "" ? [] : ["--columns", shellWord(columns)]),
    ...(command?.["directed"] === true ? ["--directed"] : []),
    ...(model === undefined ? [] : ["--model", model]),
    "--per-relation",
  ];
  return `To measure these scores on held-out edges, add --check, or run hmge evaluate links ${words.join(" ")}`;
}
