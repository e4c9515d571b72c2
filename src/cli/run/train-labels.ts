/** `--train-labels`: the labels that a semi-supervised model learns from, and notes about their use. */

import { dirname } from "node:path";
import { InputError } from "../../core/errors.js";
import type { LabelsRecord } from "../../core/record.js";
import { classesHash } from "../../graph/content-hash.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { loadLabels } from "../../io/tables/labels.js";
import { loadNodeSplit } from "../../io/tables/node-split.js";
import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import type { LabelInput, Model } from "../../nn/model.js";
import { plural } from "../../report/format.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { type LabelledNodes, matchLabels } from "../../tasks/labels/labelled-nodes.js";
import { matchSplit } from "../../tasks/labels/node-split.js";
import { trainingLabels } from "../../tasks/labels/training-labels.js";
import { isFolder } from "../folder/is-folder.js";
import { readRecord } from "../folder/output-folder.js";
import { loadModels } from "../options/model-options.js";
import { labelColumns } from "../options/source-options.js";
import { missingLabels } from "../terminal/missing-labels.js";
import type { Output } from "../terminal/output.js";

/** Throws, before files are read, if the model cannot use `--train-labels`. */
export async function checkTrainLabels(trainLabels: string | undefined, model: Model): Promise<void> {
  if (trainLabels === undefined || learnsFromLabels(model)) return;
  const others = (await loadModels()).filter(learnsFromLabels).map(({ name }) => name);
  const expected = others.length === 0 ? "" : `, or choose a model that learns from them: ${others.join(", ")}`;
  throw new InputError(`--train-labels: ${model.name} learns without labels; leave it out${expected}.`);
}

/** The note for a model that can learn from labels but has none; `why` gives the reason. */
export function withoutLabelsNote({ name }: Pick<Model, "name">, why: string): string {
  return `note: ${name} learns from labels, and ${why}; it is trained in its unsupervised setting.`;
}

/** The labels to learn from, and their part of the record. */
export interface TrainLabels {
  readonly input: LabelInput;
  readonly record: LabelsRecord;
}

/** Undefined without `--train-labels`. */
export async function readTrainLabels(
  { trainLabels: path, columns }: { readonly trainLabels?: string; readonly columns: readonly string[] },
  graph: LoadedGraph,
  { note }: Pick<Output, "note">,
): Promise<TrainLabels | undefined> {
  if (path === undefined) return undefined;
  const { file, split } = path === "given" ? datasetFiles(graph) : { file: path, split: null };
  const nodes = await matchNodes(file, graph, path === "given" ? undefined : labelColumns({ columns }), note);
  const places =
    split === null
      ? nodes.ids.map((_, place) => place)
      : matchSplit(nodes, await loadNodeSplit(split), ["train"]).split.train;
  const labels = trainingLabels(graph.numNodes, nodes, places);
  if (labels.classes.length < 2) {
    throw new InputError(
      `--train-labels: all ${plural(labels.nodes, "training node")} have the label ${JSON.stringify(labels.classes[0])}; expected two labels or more.`,
    );
  }
  const { input, classes } = labels;
  return {
    input,
    record: { file, split, nodes: labels.nodes, classes: classes.length, hash: classesHash(input) },
  };
}

function datasetFiles({ labelsFile, splitFile }: LoadedGraph): { file: string; split: string } {
  if (labelsFile === undefined) {
    throw new InputError(
      "--train-labels given: the source is not a dataset folder with a labels file; expected one, or --train-labels FILE.",
    );
  }
  if (splitFile === undefined) {
    throw new InputError(
      "--train-labels given: the dataset folder has no split file, which names the training nodes; expected one, or --train-labels FILE with labels of training nodes only.",
    );
  }
  return { file: labelsFile, split: splitFile };
}

async function matchNodes(
  file: string,
  { ids }: LoadedGraph,
  columns: UserColumns | undefined,
  note: (text: string) => void,
): Promise<LabelledNodes> {
  const labels = await loadLabels(file, undefined, columns);
  const known = new Set(ids);
  const missing = missingLabels(labels, (id) => known.has(id), "graph");
  if (missing?.count === labels.byNode.size) {
    throw new InputError(
      `--train-labels: none of the ${plural(missing.count, "node")} of ${file} is in the graph, whose ids look like ${JSON.stringify(ids[0])}. Check that both use the same ids.`,
    );
  }
  if (missing !== undefined) note(`note: ${file}: ${missing.note}`);
  return matchLabels(ids, labels);
}

/** A note about vectors, in a file or folder, of a model that learned from labels; undefined for other models. */
export function trainingLabelsNote(vectors: string, { labels }: VectorsRecord): string | undefined {
  if (typeof labels?.nodes !== "number") return undefined;
  return `${vectors}: the model learned from the labels of ${plural(labels.nodes, "node")} (${labels.split ?? labels.file}); scores are valid only if none of these nodes is a test node.`;
}

/** The fields of a run's record that matter for scoring its vectors. */
export interface VectorsRecord {
  readonly model?: string;
  readonly labels?: Partial<LabelsRecord> | null;
  readonly graph?: { readonly featureNames?: readonly string[] };
}

/** The record next to the vectors; empty if there is none. */
export async function readVectorsRecord(vectors: string): Promise<VectorsRecord> {
  const folder = (await isFolder(vectors)) ? vectors : dirname(vectors);
  return ((await readRecord(folder)) as VectorsRecord | null | undefined) ?? {};
}
