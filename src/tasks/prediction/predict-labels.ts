/**
 * Labels of unlabelled nodes by a linear probe on their vectors, with probabilities and the score to expect.
 *
 * Repeated stratified k-fold cross-validation on the labelled nodes chooses raw or standardised vectors, C and, if nodes
 * have several labels, the threshold of a label's probability; a probe with these choices then learns from all labelled
 * nodes. The number of labels of an unlabelled node is unknown, so no rule here uses it. The expected score is that of
 * exactly this rule on nodes whose label the probe had not seen, less the optimism of the choice (expected-score.ts).
 */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { int } from "../../core/options.js";
import { type KeysOf, requireCount, requireKeys, requireNoPromise } from "../../core/validation.js";
import { type Multiplex, requireVectorsOf } from "../../graph/multiplex.js";
import { mean } from "../../numeric/rows.js";
import { severalNotes } from "../classification/classification-notes.js";
import { fitLogisticProbe, targetsOf } from "../classification/probe.js";
import { ROW_KINDS, type RowKind, rowsOfKind, selectRows } from "../classification/standardize.js";
import {
  countLabels,
  type LabelledNodes,
  matchLabels,
  matchNotes,
  type NodeLabels,
  quoteSome,
  requireSharedLabels,
} from "../labels/labelled-nodes.js";
import { calibrationError, chooseTemperature, logLoss, probabilitiesOf } from "./calibration.js";
import { type FoldedNodes, foldNodes, maxFits, probeCandidates } from "./cross-validation.js";
import { assignLabels, type ExpectedScores, expectScores, rankCandidates } from "./expected-score.js";
import { labelBaselines } from "./label-baselines.js";

/** How labels are predicted. */
export interface PredictionOptions {
  /** The graph of the embedding, for the baselines that read it. */
  readonly graph?: Multiplex;
  /** Folds of the cross-validation; default 10, and 5 with more than 1000 labelled nodes. */
  readonly folds?: number;
  /** Draws of the folds; default 3, and 1 with more than 300 labelled nodes. */
  readonly repeats?: number;
  /** Whether the baselines are cross-validated too; default true. */
  readonly baselines?: boolean;
  /** Default 1. */
  readonly seed?: number;
  /** Called after every fit with the share of the work that is done, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** Probabilities and labels of some nodes. */
export interface PredictedNodes {
  readonly ids: readonly string[];
  /** Nodes × labels. */
  readonly probabilities: Float64Array;
  /** Places in `classes` of the labels of each node. */
  readonly labels: readonly (readonly number[])[];
}

/** A trivial predictor and its cross-validated score. */
export interface BaselinePrediction {
  readonly name: string;
  readonly expected: ExpectedScores;
}

/** Predicted labels, how they were found, and how good they are. */
export interface LabelPrediction {
  readonly multiLabel: boolean;
  /** All labels, and how many labelled nodes have each. */
  readonly classes: readonly { readonly name: string; readonly nodes: number }[];
  /** Labelled nodes with a vector. */
  readonly numLabelled: number;
  /** Nodes without a label. */
  readonly predicted: PredictedNodes;
  /** The labelled nodes, each predicted while its fold was left out of the training; first draw of the folds. */
  readonly outOfFold: PredictedNodes;
  readonly folds: number;
  readonly repeats: number;
  readonly seed: number;
  /** What cross-validation chose. */
  readonly choice: {
    readonly rows: RowKind;
    /** C of the logistic regression. */
    readonly strength: number;
    /** Probability from which a node has a label (the likeliest label it always has); null with one label a node. */
    readonly threshold: number | null;
    /** Divisor of the logits; above 1 the probe alone was too sure. */
    readonly temperature: number;
    /** Best cross-validated macro-F1 of each kind of vectors. */
    readonly macroF1: Readonly<Record<RowKind, number>>;
  };
  /** Scores to expect of `predicted`. */
  readonly expected: ExpectedScores;
  /** Cross-validated mean of −ln p of the truth. */
  readonly logLoss: number;
  /** Cross-validated expected calibration error, from 0 (calibrated) to 1. */
  readonly calibrationError: number;
  readonly baselines: readonly BaselinePrediction[];
  readonly notes: readonly string[];
}

/** Above this many labelled nodes five folds train on enough of them. */
const MANY_NODES = 1000;
/** Above this many the draw of the folds changes little. */
const ENOUGH_NODES = 300;
const MAX_FOLDS = 100;
const FOLDS = { few: 10, many: 5 };
const REPEATS = { few: 3, many: 1 };

/** The options as a schema; for commands. */
export const PREDICTION_OPTIONS = {
  folds: int(undefined, {
    min: 2,
    max: MAX_FOLDS,
    value: "K",
    doc: "folds of the cross-validation",
    defaultText: `${FOLDS.few}; ${FOLDS.many} above ${MANY_NODES} labelled nodes`,
  }),
  repeats: int(undefined, {
    min: 1,
    doc: "draws of the folds",
    defaultText: `${REPEATS.few}; ${REPEATS.many} above ${ENOUGH_NODES} labelled nodes`,
  }),
  seed: int(1, { min: 0, doc: "seed of folds and bootstrap samples" }),
};
/** Words that often mark a node without a label, in lower case; those of MISSING_TOKENS have a note of their own. */
const UNLABELLED: readonly string[] = ["?", "-", "-1", "unknown", "unlabelled", "unlabeled", "unassigned", "other"];

const OPTIONS: KeysOf<PredictionOptions> = {
  graph: true,
  folds: true,
  repeats: true,
  baselines: true,
  seed: true,
  onProgress: true,
};

/** Predicts the labels of all nodes of an embedding that have none. */
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
  const { folds = n > MANY_NODES ? FOLDS.many : FOLDS.few, repeats = n > ENOUGH_NODES ? REPEATS.many : REPEATS.few } =
    options;
  requireCount(folds, "predict: folds", 2);
  requireCount(repeats, "predict: repeats");
  if (folds > MAX_FOLDS) throw new InputError(`predict: folds is ${folds}; expected at most ${MAX_FOLDS}.`);
  const folded = foldNodes(nodes, folds, repeats, seed);
  const progress = countProgress(options, folded);

  const byKind = Object.fromEntries(
    ROW_KINDS.map((kind) => [kind, selectRows(rowsOfKind(embedding, kind), nodes.rows)]),
  );
  const candidates = progress.part(() => probeCandidates(folded, byKind, progress.step));
  const { chosen, expected } = expectScores(nodes, candidates, seed);
  const { rows = "raw", strength = 1, logits } = candidates[chosen.candidate];
  const temperature = chooseTemperature(nodes, logits);
  const probabilities = (own: Float64Array) => probabilitiesOf(own, nodes.names.length, nodes.multiLabel, temperature);
  const probe = fitLogisticProbe(byKind[rows], targetsOf(nodes, everyPlace(nodes)), strength);
  const unlabelled = unlabelledRows(embedding, nodes);
  const found = probe.score(selectRows(rowsOfKind(embedding, rows), unlabelled));
  const counts = countLabels(nodes, everyPlace(nodes));
  const scoreOfKind = (kind: RowKind) =>
    rankCandidates(
      nodes,
      candidates.filter((candidate) => candidate.rows === kind),
    ).score;

  const others = options.baselines === false ? { baselines: [], notes: [] } : labelBaselines(nodes, graph);
  const baselines = others.baselines.map(({ name, candidates: make }): BaselinePrediction => {
    const own = progress.part(() => make(folded, progress.step));
    return { name, expected: expectScores(nodes, own, seed).expected };
  });
  const notes = [
    ...matchNotes(nodes).filter((note) => !note.endsWith("have no label and are left out.")),
    ...severalNotes(nodes),
    ...others.notes,
  ];
  const marks = nodes.names.filter((name) => UNLABELLED.includes(name.trim().toLowerCase()));
  if (marks.length > 0) {
    notes.push(
      `${quoteSome(marks)} counts as a label and is predicted. If it marks nodes without a label, leave their rows out.`,
    );
  }
  if (!probe.converged) notes.push("the probe did not converge; its labels are those of the last step.");
  return {
    multiLabel: nodes.multiLabel,
    classes: nodes.names.map((name, c) => ({ name, nodes: counts[c] })),
    numLabelled: n,
    predicted: {
      ids: Array.from(unlabelled, (row) => embedding.ids[row]),
      probabilities: probabilities(found),
      labels: assignLabels(found, nodes.names.length, chosen.least),
    },
    outOfFold: {
      ids: nodes.ids,
      probabilities: probabilities(logits[0]),
      labels: assignLabels(logits[0], nodes.names.length, chosen.least),
    },
    folds: folded.folds[0].length,
    repeats,
    seed,
    choice: {
      rows,
      strength,
      threshold: chosen.least === null ? null : 1 / (1 + Math.exp(-chosen.least / temperature)),
      temperature,
      macroF1: { standardised: scoreOfKind("standardised"), raw: scoreOfKind("raw") },
    },
    expected,
    logLoss: mean(logits.map((own) => logLoss(nodes, own, temperature))),
    calibrationError: mean(logits.map((own) => calibrationError(nodes, own, temperature))),
    baselines,
    notes,
  };
}

function everyPlace({ ids }: LabelledNodes): Int32Array {
  return Int32Array.from({ length: ids.length }, (_, place) => place);
}

function unlabelledRows({ ids }: Embedding, { rows }: LabelledNodes): Int32Array {
  const labelled = new Uint8Array(ids.length);
  for (const row of rows) labelled[row] = 1;
  return Int32Array.from({ length: ids.length }, (_, row) => row).filter((row) => labelled[row] === 0);
}

/** Reports fits; a part ends early if larger values of C need not be tried. */
function countProgress({ onProgress, graph, baselines }: PredictionOptions, folded: FoldedNodes) {
  const parts = baselines === false || graph === undefined ? 1 : graph.features === undefined ? 2 : 3;
  const most = maxFits(folded);
  let [ended, fits] = [0, 0];
  const report = () => {
    const share = (ended + Math.min(1, fits / most)) / parts;
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
