/**
 * The expected score of a predictor that cross-validation chose among candidates.
 *
 * An option is a candidate and, if nodes have several labels, a threshold. The option with the best cross-validated
 * macro-F1 is chosen. Its score is too high, because it is the largest of many; the bootstrap estimates this optimism
 * (Efron, JASA 78, 1983). Each bootstrap sample of the labelled nodes has a best option; its advantage over the chosen
 * option on the sample, plus its disadvantage on all nodes, is the optimism in that sample. The reported deviation is the
 * standard deviation of the chosen option's score over the samples.
 */

import { Rng } from "../../core/rng.js";
import { mean } from "../../numeric/rows.js";
import { labelsAbove, topLabels } from "../classification/probe.js";
import type { LabelledNodes } from "../labels/labelled-nodes.js";
import type { F1Scores } from "../metrics/classification-metrics.js";

/** Cross-validated logits, `[repeat]`, labelled nodes × labels. */
interface Predicted {
  readonly logits: readonly Float64Array[];
}

/** Thresholds on the probability of a label that are tried. */
const THRESHOLDS: readonly number[] = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7];
/** Number of bootstrap samples. Not tuned. */
const NUM_SAMPLES = 200;

/** An expected score on nodes whose labels are unknown. */
export interface ExpectedValue {
  readonly mean: number;
  /** Standard deviation over bootstrap samples of the labelled nodes. */
  readonly deviation: number;
}

/** Expected scores of predicted labels. */
export type ExpectedScores = Readonly<Record<keyof F1Scores, ExpectedValue>>;

/** The best option: the index of a candidate, and the minimum logit of a predicted label. */
export interface ChosenOption {
  readonly candidate: number;
  /** Null if every node has one label: the most probable label is predicted. */
  readonly minLogit: number | null;
  /** Cross-validated macro-F1, which is too high as an estimate. */
  readonly score: number;
}

interface Option extends ChosenOption {
  /** Predicted labels, `[repeat][node]`. */
  readonly labels: readonly (readonly (readonly number[])[])[];
}

/** The option with the best cross-validated macro-F1; of equal options the first. */
export function rankCandidates(nodes: LabelledNodes, candidates: readonly Predicted[]): ChosenOption {
  const { candidate, minLogit, score } = bestOf(optionsOf(nodes, candidates));
  return { candidate, minLogit, score };
}

/** The best option and its expected scores. */
export function expectScores(
  nodes: LabelledNodes,
  candidates: readonly Predicted[],
  seed: number,
): { readonly chosen: ChosenOption; readonly expected: ExpectedScores } {
  const options = optionsOf(nodes, candidates);
  const best = bestOf(options);
  const n = nodes.ids.length;
  const ones = new Float64Array(n).fill(1);
  const whole = options.map((option) => scoreOf(nodes, option, ones));
  const chosenScores = whole[options.indexOf(best)];
  const metrics = Object.keys(chosenScores) as (keyof F1Scores)[];
  const optimism = { macroF1: 0, microF1: 0, accuracy: 0 };
  const samples: F1Scores[] = [];
  for (let b = 0; b < NUM_SAMPLES; b++) {
    const rng = new Rng(seed, "bootstrap of labelled nodes", b);
    const weights = new Float64Array(n);
    for (let i = 0; i < n; i++) weights[rng.below(n)]++;
    const scores = options.map((option) => scoreOf(nodes, option, weights));
    let preferred = 0;
    for (let o = 1; o < options.length; o++) if (scores[o].macroF1 > scores[preferred].macroF1) preferred = o;
    const ofBest = scores[options.indexOf(best)];
    for (const metric of metrics) {
      const advantage = scores[preferred][metric] - ofBest[metric];
      optimism[metric] += (advantage + chosenScores[metric] - whole[preferred][metric]) / NUM_SAMPLES;
    }
    samples.push(ofBest);
  }
  const expect = (metric: keyof F1Scores): ExpectedValue => {
    const values = samples.map((scores) => scores[metric]);
    const middle = mean(values);
    const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (NUM_SAMPLES - 1);
    return { mean: chosenScores[metric] - optimism[metric], deviation: Math.sqrt(variance) };
  };
  return {
    chosen: { candidate: best.candidate, minLogit: best.minLogit, score: best.score },
    expected: { macroF1: expect("macroF1"), microF1: expect("microF1"), accuracy: expect("accuracy") },
  };
}

/** Labels of each row: those with a logit of at least `minLogit`, or the most probable label if it is null. */
export function assignLabels(logits: Float64Array, numLabels: number, minLogit: number | null): number[][] {
  return Array.from({ length: logits.length / numLabels }, (_, row) =>
    minLogit === null ? topLabels(logits, row, numLabels, 1) : labelsAbove(logits, row, numLabels, minLogit),
  );
}

function optionsOf(nodes: LabelledNodes, candidates: readonly Predicted[]): Option[] {
  const minLogits = nodes.multiLabel ? THRESHOLDS.map((p) => Math.log(p / (1 - p))) : [null];
  const ones = new Float64Array(nodes.ids.length).fill(1);
  return candidates.flatMap(({ logits }, candidate) =>
    minLogits.map((minLogit) => {
      const option = {
        candidate,
        minLogit,
        score: 0,
        labels: logits.map((repeat) => assignLabels(repeat, nodes.names.length, minLogit)),
      };
      return { ...option, score: scoreOf(nodes, option, ones).macroF1 };
    }),
  );
}

function bestOf(options: readonly Option[]): Option {
  return options.reduce((best, option) => (option.score > best.score ? option : best));
}

/** Scores of an option, averaged over the repeats; node i counts `weights[i]` times. */
function scoreOf(nodes: LabelledNodes, { labels }: Option, weights: Float64Array): F1Scores {
  const all = labels.map((predicted) => weightedScores(nodes, predicted, weights));
  return {
    macroF1: mean(all.map(({ macroF1 }) => macroF1)),
    microF1: mean(all.map(({ microF1 }) => microF1)),
    accuracy: mean(all.map(({ accuracy }) => accuracy)),
  };
}

/** Like `classScores` and `multiLabelScores`, but node i counts `weights[i]` times. */
export function weightedScores(
  { labels, names, multiLabel }: LabelledNodes,
  predicted: readonly (readonly number[])[],
  weights: Float64Array,
): F1Scores {
  const truth = new Float64Array(names.length);
  const guessed = new Float64Array(names.length);
  const correct = new Float64Array(names.length);
  let [right, total] = [0, 0];
  for (let i = 0; i < labels.length; i++) {
    const weight = weights[i];
    if (weight === 0) continue;
    total += weight;
    let agreeing = 0;
    for (const label of labels[i]) truth[label] += weight;
    for (const label of predicted[i]) {
      guessed[label] += weight;
      if (!labels[i].includes(label)) continue;
      correct[label] += weight;
      agreeing++;
    }
    if (agreeing === labels[i].length && agreeing === predicted[i].length) right += weight;
  }
  let [f1, counted, sumTruth, sumGuessed, sumCorrect] = [0, 0, 0, 0, 0];
  for (let c = 0; c < names.length; c++) {
    sumTruth += truth[c];
    sumGuessed += guessed[c];
    sumCorrect += correct[c];
    if (truth[c] + guessed[c] > 0) f1 += (2 * correct[c]) / (truth[c] + guessed[c]);
    if (multiLabel || truth[c] + guessed[c] > 0) counted++;
  }
  return { macroF1: f1 / counted, microF1: (2 * sumCorrect) / (sumTruth + sumGuessed), accuracy: right / total };
}
