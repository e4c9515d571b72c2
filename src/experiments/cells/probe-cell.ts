/** Cells of classification: scores of a linear probe on the vectors of a model, or on vectors that need no training. */

import type { Embedding } from "../../core/embedding.js";
import { InternalError } from "../../core/errors.js";
import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import type { ProbeChoice } from "../../tasks/classification/choose-probe.js";
import {
  type ClassificationOptions,
  classificationSplits,
  classifyNodes,
} from "../../tasks/classification/node-classification.js";
import type { Decision } from "../../tasks/classification/probe.js";
import type { RowKind } from "../../tasks/classification/standardize.js";
import type { ValidatedRow } from "../../tasks/classification/validated-probe.js";
import type { LabelledNodes, NodeLabels } from "../../tasks/labels/labelled-nodes.js";
import type { NodeSplit, SplitPart } from "../../tasks/labels/node-split.js";
import { trainingLabels } from "../../tasks/labels/training-labels.js";
import type { CaseData, GraphCase } from "../graphs/graph-case.js";
import type { CellProgress, CellRunner } from "./cell-runner.js";
import { type ModelVariant, type TrainingFacts, trainCell, variantKey } from "./train-cell.js";

export interface ProbeProtocol {
  /** Shares of the labels that train the probe; `given` is the split stored with the data set. */
  readonly shares: readonly (number | "given")[];
  /** Number of random splits for each share; the same splits for all vectors. */
  readonly repeats: number;
  /** C of the logistic regression; default 1. */
  readonly strength?: number | "validate";
  /** If one of these is given, the scores have `validated`; as in `ClassificationOptions`. */
  readonly scaling?: ClassificationOptions["scaling"];
  readonly prefix?: ClassificationOptions["prefix"];
}

interface MeanScores {
  readonly share: number | "given";
  readonly decision: Decision;
  /** Means over the splits, and the standard deviation of the accuracy over the splits. */
  readonly macroF1: number;
  readonly microF1: number;
  readonly accuracy: number;
  readonly accuracyDeviation: number | null;
}

export interface ProbeRow extends MeanScores {
  readonly rows: RowKind;
}

/** Scores of the probe whose settings validation chooses. */
export interface ValidatedProbeRow extends MeanScores {
  /** The chosen settings, one entry per split. */
  readonly choices: readonly ProbeChoice[];
}

export interface ProbeScores {
  readonly rows: readonly ProbeRow[];
  /** Empty if the protocol chooses no settings. */
  readonly validated: readonly ValidatedProbeRow[];
  readonly notes: readonly string[];
}

export interface ProbeCell extends ProbeScores {
  /** A semi-supervised model is trained once per share; these are the facts of the first training. */
  readonly training: TrainingFacts;
}

/**
 * Trains a model and probes its vectors. A model that learns from labels gets the labels of the training nodes of the split
 * that it is scored on, and no others. This split is the one stored with the data set, or for each share one random split,
 * drawn with the seed. The validation nodes, which choose C, train neither the model nor the probe.
 */
export function probeModel(
  runner: CellRunner,
  graphCase: GraphCase,
  variant: ModelVariant,
  seed: number,
  protocol: ProbeProtocol,
): Promise<ProbeCell> {
  const supervised = learnsFromLabels(variant.model);
  const key = {
    task: "classify",
    case: graphCase.key,
    protocol: { ...protocol },
    ...variantKey(variant, seed),
    supervision: supervised ? "labels of the training part, those that choose C kept apart" : undefined,
  };
  return runner.cell(`${graphCase.name}: ${variant.label}, seed ${seed}`, key, async (progress) => {
    const data = graphCase.load();
    if (supervised) return probeSemiSupervised(runner, data, variant, seed, protocol, progress);
    const { embedding, facts } = await trainCell(data.graph, variant, seed, runner, progress);
    return { training: facts, ...probe(embedding, data, protocol) };
  });
}

async function probeSemiSupervised(
  runner: CellRunner,
  data: CaseData,
  variant: ModelVariant,
  seed: number,
  { shares, repeats: _, ...settings }: ProbeProtocol,
  progress: CellProgress,
): Promise<ProbeCell> {
  const { graph } = data;
  const labels = requireLabels(data);
  const trainings: TrainingFacts[] = [];
  const parts: ProbeScores[] = [];
  for (const share of shares) {
    const options = { split: splitOptions(data, share), repeats: 1, seed, ...settings };
    const { nodes, splits } = classificationSplits(graph.ids, labels, options);
    const [split] = splits;
    const { input } = trainingLabels(graph.numNodes, nodes, split.train);
    const { embedding, facts } = await trainCell({ ...graph, labels: input }, variant, seed, runner, progress);
    trainings.push(facts);
    parts.push(probeShare(embedding, labels, share, { ...options, split: partsByNode(nodes, split) }));
  }
  return { training: trainings[0], ...mergeScores(parts) };
}

function partsByNode({ ids }: LabelledNodes, split: NodeSplit): Map<string, string> {
  const parts = Object.entries(split) as [SplitPart, Int32Array][];
  return new Map(parts.flatMap(([part, places]) => Array.from(places, (place) => [ids[place], part] as const)));
}

/** Probes vectors that are computed without training. `name` identifies the method. */
export function probeVectors(
  runner: CellRunner,
  graphCase: GraphCase,
  name: string,
  protocol: ProbeProtocol,
  vectors: (data: CaseData) => Embedding | Promise<Embedding>,
): Promise<ProbeScores & { readonly seconds: number }> {
  const key = { task: "classify", case: graphCase.key, protocol: { ...protocol }, vectors: name };
  return runner.cell(`${graphCase.name}: ${name}`, key, async () => {
    const data = graphCase.load();
    const begin = performance.now();
    const embedding = await vectors(data);
    const seconds = (performance.now() - begin) / 1000;
    return { seconds, ...probe(embedding, data, protocol) };
  });
}

function probe(embedding: Embedding, data: CaseData, { shares, ...settings }: ProbeProtocol): ProbeScores {
  const labels = requireLabels(data);
  return mergeScores(
    shares.map((share) => probeShare(embedding, labels, share, { split: splitOptions(data, share), ...settings })),
  );
}

function mergeScores(parts: readonly ProbeScores[]): ProbeScores {
  return {
    rows: parts.flatMap(({ rows }) => rows),
    validated: parts.flatMap(({ validated }) => validated),
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
  };
}

function requireLabels({ labels }: CaseData): NodeLabels {
  if (labels === undefined) throw new InternalError("classification needs labels, but the graph has none");
  return labels;
}

function splitOptions({ split }: CaseData, share: number | "given"): ClassificationOptions["split"] {
  if (share !== "given") return { train: share };
  if (split === undefined) throw new InternalError("the data set has no split");
  return split;
}

function probeShare(
  embedding: Embedding,
  labels: NodeLabels,
  share: number | "given",
  options: ClassificationOptions,
): ProbeScores {
  const { results, byValidation, notes } = classifyNodes([embedding], labels, options);
  const meansOf = ({ decision, macroF1, microF1, accuracy }: Omit<ValidatedRow, "choices">): MeanScores => ({
    share,
    decision,
    macroF1: macroF1.mean,
    microF1: microF1.mean,
    accuracy: accuracy.mean,
    accuracyDeviation: accuracy.overRepeats,
  });
  return {
    rows: results.map((row) => ({ rows: row.rows, ...meansOf(row) })),
    validated: (byValidation?.results ?? []).map((row) => ({ ...meansOf(row), choices: row.choices[0] })),
    notes,
  };
}

/** The row of a share. For nodes with several labels the default is the row that thresholds probabilities, as the paper does. */
export function probeRow(
  { rows }: ProbeScores,
  share: number | "given",
  kind: RowKind = "standardised",
  decision?: Decision,
): ProbeRow {
  const found = rows.find(
    (row) => row.share === share && row.rows === kind && (decision === undefined || row.decision === decision),
  );
  if (found === undefined) throw new InternalError(`no scores for ${share}, ${kind}`);
  return found;
}

/** Whether nodes may have several labels. */
export function isMultiLabel({ rows }: ProbeScores): boolean {
  return rows.some(({ decision }) => decision === "top-k");
}

/** The row of a share whose settings validation chose; undefined if the protocol chooses none. */
export function validatedRow(
  { validated }: ProbeScores,
  share: number | "given",
  decision?: Decision,
): ValidatedProbeRow | undefined {
  return validated.find((row) => row.share === share && (decision === undefined || row.decision === decision));
}
