/**
 * Predicts the labels of unlabelled nodes by a linear probe on their vectors, with probabilities and the expected score.
 *
 * Repeated stratified k-fold cross-validation on the labelled nodes chooses raw or standardised vectors, C and, if nodes
 * have several labels, the threshold on a label's probability. A probe with these choices is then trained on all labelled
 * nodes. The number of labels of an unlabelled node is unknown, so no rule here uses it. The expected score is that of
 * this rule on nodes that the probe was not trained on, minus the optimism of the choice (expected-score.ts).
 */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { int, requireOption } from "../../core/options.js";
import { type KeysOf, requireKeys, requireNoPromise } from "../../core/validation.js";
import { type Multiplex, requireVectorsOf } from "../../graph/multiplex.js";
import { mean } from "../../numeric/rows.js";
import { severalLabelsNotes } from "../classification/classification-notes.js";
import { fitLogisticProbe, targetsOf } from "../classification/probe.js";
import { ROW_KINDS, type RowKind, rowsOfNodes } from "../classification/standardize.js";
import {
  countLabels,
  type LabelledNodes,
  matchLabels,
  matchNotes,
  type NodeLabels,
  quoteSome,
  requireSharedLabels,
} from "../labels/labelled-nodes.js";
import { calibrationError, chooseTemperature, logLoss, omittedFromLogLoss, probabilitiesOf } from "./calibration.js";
import { type FoldedNodes, foldNodes, maxFits, probeCandidates } from "./cross-validation.js";
import { assignLabels, type ExpectedScores, expectScores, rankCandidates } from "./expected-score.js";
import { labelBaselines } from "./label-baselines.js";

/** Options of `predictLabels`. */
export interface PredictionOptions {
  /** The graph of the embedding, for the baselines that need it. */
  readonly graph?: Multiplex;
  /** Number of number of folds of the cross-validation; default 10, and 5 with more than 1000 labelled nodes. */
  readonly folds?: number;
  /** Number of times that folds are drawn; default 3, and 1 with more than 300 labelled nodes. */
  readonly repeats?: number;
  /** Whether the baselines are cross-validated too; default true. */
  readonly baselines?: boolean;
  /** Default 1. */
  readonly seed?: number;
  /** Called after every fit with the share of the work done, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** Predicted probabilities and labels. */
export interface PredictedNodes {
  readonly ids: readonly string[];
  /** Nodes × labels. */
  readonly probabilities: Float64Array;
  /** Predicted labels of each node, as indices into `classes`. */
  readonly labels: readonly (readonly number[])[];
}

/** A baseline and its expected scores. */
export interface BaselinePrediction {
  readonly name: string;
  readonly expected: ExpectedScores;
}

/** Predicted labels, the choices of cross-validation, and expected scores. */
export interface LabelPrediction {
  readonly multiLabel: boolean;
  /** All labels, and the number of labelled nodes that have each. */
  readonly classes: readonly { readonly name: string; readonly nodes: number }[];
  /** Number of labelled nodes with a vector. */
  readonly numLabelled: number;
  /** Predictions for the nodes without a label. */
  readonly predicted: PredictedNodes;
  /** Predictions for the labelled nodes by probes that were not trained on their fold; first draw of the folds. */
  readonly outOfFold: PredictedNodes;
  readonly folds: number;
  readonly repeats: number;
  readonly seed: number;
  /** The choices of cross-validation. */
  readonly choice: {
    readonly rows: RowKind;
    /** C of the logistic regression. */
    readonly strength: number;
    /** Minimum probability of a predicted label (the most probable one is always predicted); null with one label per node. */
    readonly threshold: number | null;
    /** Divisor of the logits; above 1 if the probe was overconfident. */
    readonly temperature: number;
    /** Best cross-validated macro-F1 for each kind of vectors. */
    readonly macroF1: Readonly<Record<RowKind, number>>;
  };
  /** Expected scores of `predicted`. */
  readonly expected: ExpectedScores;
  /** Cross-validated mean of −ln p of the true labels; a note says which labels it omits, if any. */
  readonly logLoss: number;
  /** Cross-validated expected calibration error, from 0 (calibrated) to 1. */
  readonly calibrationError: number;
  readonly baselines: readonly BaselinePrediction[];
  readonly notes: readonly string[];
}

/** Number of labelled nodes above which 5 folds, which train on 80 % of the nodes, replace 10. */
const FIVE_FOLDS_ABOVE = 1000;
/** Number of labelled nodes above which folds are drawn once: another draw changes little. */
const ONE_REPEAT_ABOVE = 300;
const MAX_FOLDS = 100;
/** Default numbers of folds and of repeats, with few and with many labelled nodes. */
const FOLDS = { few: 10, many: 5 };
const REPEATS = { few: 3, many: 1 };

/** Option schema for commands and library callers. */
export const PREDICTION_OPTIONS = {
  folds: int(undefined, {
    min: 2,
    max: MAX_FOLDS,
    value: "K",
    doc: "number of folds of the cross-validation",
    defaultText: `${FOLDS.few}, or ${FOLDS.many} with more than ${FIVE_FOLDS_ABOVE} labelled nodes`,
  }),
  repeats: int(undefined, {
    min: 1,
    doc: "how often the folds are drawn anew",
    defaultText: `${REPEATS.few}, or ${REPEATS.many} with more than ${ONE_REPEAT_ABOVE} labelled nodes`,
  }),
  seed: int(1, { min: 0, doc: "seed of folds and bootstrap samples" }),
};
/** Words that often mark a node without a label, in lower case; for those of MISSING_TOKENS `matchNotes` has a note. */
const UNLABELLED: readonly string[] = ["?", "-", "-1", "unknown", "unlabelled", "unlabeled", "unassigned", "other"];

const OPTIONS: KeysOf<PredictionOptions> = {
  graph: true,
  folds: true,
  repeats: true,
  baselines: true,
  seed: true,
  onProgress: true,
};

/** Predicts the labels of all unlabelled nodes of an embedding. */
export function predictLabels(
  embedding: Embedding,
  labels: NodeLabels,
  options: PredictionOptions = {},
): LabelPrediction {
  requireVectors(embedding, "predict");
  requireKeys(options, OPTIONS, "predict");
  const { graph, seed = PREDICTION_OPTIONS.seed.default } = options;
  if (graph !== undefined) requireVectorsOf(graph, embedding, "predict");
  const nodes = matchLabels(embedding.ids, labels);
  requireSharedLabels(nodes);
  const n = nodes.ids.length;
  const {
    folds = n > FIVE_FOLDS_ABOVE ? FOLDS.many : FOLDS.few,
    repeats = n > ONE_REPEAT_ABOVE ? REPEATS.many : REPEATS.few,
  } = options;
  requireOption(PREDICTION_OPTIONS.folds, folds, "predict: folds");
  requireOption(PREDICTION_OPTIONS.repeats, repeats, "predict: repeats");
  const folded = foldNodes(nodes, folds, repeats, seed);
  const progress = countProgress(options, folded);

  const byKind = Object.fromEntries(ROW_KINDS.map((kind) => [kind, rowsOfNodes(embedding, kind, nodes.rows)]));
  const candidates = progress.part(() => probeCandidates(folded, byKind, progress.step));
  const { chosen, expected } = expectScores(nodes, candidates, seed);
  const { rows = "raw", strength = 1, logits } = candidates[chosen.candidate];
  const temperature = chooseTemperature(nodes, logits);
  const probabilities = (values: Float64Array) =>
    probabilitiesOf(values, nodes.names.length, nodes.multiLabel, temperature);
  const probe = fitLogisticProbe(byKind[rows], targetsOf(nodes), strength);
  const unlabelled = unlabelledRows(embedding, nodes);
  const unlabelledLogits = probe.score(rowsOfNodes(embedding, rows, unlabelled));
  const counts = countLabels(nodes);
  const scoreOfKind = (kind: RowKind) =>
    rankCandidates(
      nodes,
      candidates.filter((candidate) => candidate.rows === kind),
    ).score;

  const others = options.baselines === false ? { baselines: [], notes: [] } : labelBaselines(nodes, graph);
  const baselines = others.baselines.map(({ name, candidates: make }): BaselinePrediction => {
    const baselineCandidates = progress.part(() => make(folded, progress.step));
    return { name, expected: expectScores(nodes, baselineCandidates, seed).expected };
  });
  const notes = [
    ...matchNotes(nodes, { usesUnlabelled: true }),
    ...severalLabelsNotes(nodes),
    ...others.notes,
    ...unlabelledNotes(nodes),
    ...logLossNotes(nodes, logits),
  ];
  if (!probe.converged) {
    notes.push("the probe did not converge; the labels are those after its last step, and approximate.");
  }
  return {
    multiLabel: nodes.multiLabel,
    classes: nodes.names.map((name, c) => ({ name, nodes: counts[c] })),
    numLabelled: n,
    predicted: {
      ids: Array.from(unlabelled, (row) => embedding.ids[row]),
      probabilities: probabilities(unlabelledLogits),
      labels: assignLabels(unlabelledLogits, nodes.names.length, chosen.minLogit),
    },
    outOfFold: {
      ids: nodes.ids,
      probabilities: probabilities(logits[0]),
      labels: assignLabels(logits[0], nodes.names.length, chosen.minLogit),
    },
    folds: folded.folds[0].length,
    repeats,
    seed,
    choice: {
      rows,
      strength,
      threshold: chosen.minLogit === null ? null : 1 / (1 + Math.exp(-chosen.minLogit / temperature)),
      temperature,
      macroF1: { standardised: scoreOfKind("standardised"), raw: scoreOfKind("raw") },
    },
    expected,
    logLoss: mean(logits.map((repeat) => logLoss(nodes, repeat, temperature))),
    calibrationError: mean(logits.map((repeat) => calibrationError(nodes, repeat, temperature))),
    baselines,
    notes,
  };
}

/** A note if a label looks like a mark of unlabelled nodes. */
function unlabelledNotes({ names }: LabelledNodes): string[] {
  const marks = names.filter((name) => UNLABELLED.includes(name.trim().toLowerCase()));
  if (marks.length === 0) return [];
  return [
    `${quoteSome(marks)} counts as a label and is predicted. If it marks nodes without a label, remove their rows.`,
  ];
}

/** A note if the log-loss omits labels. */
function logLossNotes(nodes: LabelledNodes, logits: readonly Float64Array[]): string[] {
  const { names, numNodes } = omittedFromLogLoss(nodes, logits);
  if (numNodes === 0) return [];
  const reason = nodes.multiLabel
    ? "in a fold, none or all of the training nodes have it"
    : "in a fold, no training node has it";
  const count = `${numNodes} labelled ${numNodes === 1 ? "node" : "nodes"}`;
  return [`the log-loss omits ${quoteSome(names)} for ${count}: ${reason}, so the probe has no probability to score.`];
}

function unlabelledRows({ ids }: Embedding, { rows }: LabelledNodes): Int32Array {
  const labelled = new Uint8Array(ids.length);
  for (const row of rows) labelled[row] = 1;
  return Int32Array.from({ length: ids.length }, (_, row) => row).filter((row) => labelled[row] === 0);
}

/** Reports progress after each fit; a part has fewer than `maxFits` fits if larger values of C are not tried. */
function countProgress({ onProgress, graph, baselines }: PredictionOptions, folded: FoldedNodes) {
  const parts = baselines === false || graph === undefined ? 1 : graph.features === undefined ? 2 : 3;
  const max = maxFits(folded);
  let [ended, fits] = [0, 0];
  const report = () => {
    const share = (ended + Math.min(1, fits / max)) / parts;
    requireNoPromise(onProgress?.(Math.min(1, share)), "predict: onProgress");
  };
  return {
    step(): void {
      fits++;
      report();
    },
    part<T>(work: () => T): T {
      const result = work();
      if (fits > 0) ended++;
      fits = 0;
      report();
      return result;
    },
  };
}
