/** Probes: linear classifiers on vectors. A probe computes one logit per node and label; a decision turns logits into labels. */

import type { Rows } from "../../numeric/rows.js";
import type { LabelledNodes } from "../labels/labelled-nodes.js";
import { classScores, type F1Scores, multiLabelScores } from "../metrics/classification-metrics.js";
import { type CentredRows, centredRows, LogisticPath } from "./logistic-path.js";
import { decisionValues, fitLogistic, type LogisticModel } from "./logistic-regression.js";

/** The labels that a probe is trained or scored on. */
export interface Targets {
  readonly numLabels: number;
  readonly multiLabel: boolean;
  /** Labels of each row. */
  readonly labels: readonly (readonly number[])[];
}

export interface Probe {
  /** Logits, rows × labels; −∞ for a class that no training node has. */
  readonly score: (rows: Rows) => Float64Array;
  /** Whether the fit converged. */
  readonly converged: boolean;
}

/** Targets of the labelled nodes with these indices (default all). */
export function targetsOf({ labels, names, multiLabel }: LabelledNodes, places?: Int32Array): Targets {
  const chosen = places === undefined ? labels : Array.from(places, (place) => labels[place]);
  return { labels: chosen, numLabels: names.length, multiLabel };
}

/** L2-regularised logistic regression: multinomial, or one-vs-rest for several labels per node. */
export function fitLogisticProbe(train: Rows, targets: Targets, strength: number): Probe {
  return fitProbe(targets, (classes, numClasses) => fitLogistic(train, classes, numClasses, strength));
}

/** The same with increasing C: each fit starts from the solution of the fit before. `tolerance` as in `LogisticPath.fit`. */
export class ProbePath {
  readonly #train: CentredRows;
  readonly #targets: Targets;
  /** By label; 0 for a multinomial probe. */
  readonly #paths = new Map<number, LogisticPath>();

  constructor(train: Rows, targets: Targets) {
    this.#train = centredRows(train);
    this.#targets = targets;
  }

  fit(strength: number, tolerance: number): Probe {
    return fitProbe(this.#targets, (classes, numClasses, label) => {
      const path = this.#paths.get(label) ?? new LogisticPath(this.#train, classes, numClasses);
      this.#paths.set(label, path);
      return path.fit(strength, tolerance);
    });
  }
}

function fitProbe(targets: Targets, fitClasses: FitClasses): Probe {
  return targets.multiLabel ? fitOneVsRest(targets, fitClasses) : fitMultinomial(targets, fitClasses);
}

type FitClasses = (classes: Int32Array, numClasses: number, label: number) => LogisticModel;

function fitMultinomial({ labels, numLabels }: Targets, fitClasses: FitClasses): Probe {
  const present = [...new Set(labels.map(([label]) => label))].sort((a, b) => a - b);
  const scatter = (n: number, value: (row: number, place: number) => number) => {
    const logits = new Float64Array(n * numLabels).fill(-Infinity);
    for (let i = 0; i < n; i++) {
      for (let place = 0; place < present.length; place++) logits[i * numLabels + present[place]] = value(i, place);
    }
    return logits;
  };
  if (present.length === 1) {
    return { score: ({ data, width }) => scatter(data.length / width, () => 0), converged: true };
  }
  const classes = Int32Array.from(labels, ([label]) => present.indexOf(label));
  const model = fitClasses(classes, present.length, 0);
  const outputs = model.weights.length;
  return {
    score(rows) {
      const values = decisionValues(model, rows);
      return scatter(values.length / outputs, (row, place) => {
        if (outputs === 1) return place === 0 ? 0 : values[row];
        return values[row * outputs + place];
      });
    },
    converged: model.converged,
  };
}

function fitOneVsRest({ labels, numLabels }: Targets, fitClasses: FitClasses): Probe {
  const n = labels.length;
  const models = Array.from({ length: numLabels }, (_, label) => {
    const has = Int32Array.from(labels, (nodeLabels) => (nodeLabels.includes(label) ? 1 : 0));
    const count = has.reduce((sum, value) => sum + value, 0);
    if (count === 0) return -Infinity;
    return count === n ? Infinity : fitClasses(has, 2, label);
  });
  return {
    score(rows) {
      const count = rows.data.length / rows.width;
      const logits = new Float64Array(count * numLabels);
      models.forEach((model, label) => {
        const values = typeof model === "number" ? undefined : decisionValues(model, rows);
        for (let i = 0; i < count; i++) logits[i * numLabels + label] = values?.[i] ?? Number(model);
      });
      return logits;
    },
    converged: models.every((model) => typeof model === "number" || model.converged),
  };
}

/** Labels of one row with a logit of at least `minLogit`; if there are none, the label with the largest logit. */
export function labelsAbove(logits: Float64Array, row: number, numLabels: number, minLogit: number): number[] {
  const labels: number[] = [];
  for (let c = 0; c < numLabels; c++) if (logits[row * numLabels + c] >= minLogit) labels.push(c);
  return labels.length > 0 ? labels : topLabels(logits, row, numLabels, 1);
}

/**
 * How logits become labels. `largest`: the label with the largest logit; `threshold`: all labels with a logit above 0
 * (probability above one half); `top-k`: as many labels as the node truly has.
 */
export type Decision = "largest" | "threshold" | "top-k";

export function decisionsFor(multiLabel: boolean): readonly Decision[] {
  return multiLabel ? ["threshold", "top-k"] : ["largest"];
}

/** Scores of the labels that a decision assigns. */
export function scoreDecision(logits: Float64Array, { labels, numLabels }: Targets, decision: Decision): F1Scores {
  const n = labels.length;
  if (decision === "largest") {
    const predicted = Int32Array.from({ length: n }, (_, i) => topLabels(logits, i, numLabels, 1)[0]);
    return classScores(
      labels.map(([label]) => label),
      predicted,
      numLabels,
    );
  }
  const truth = new Uint8Array(n * numLabels);
  const predicted = new Uint8Array(n * numLabels);
  for (let i = 0; i < n; i++) {
    for (const label of labels[i]) truth[i * numLabels + label] = 1;
    if (decision === "top-k") {
      for (const label of topLabels(logits, i, numLabels, labels[i].length)) predicted[i * numLabels + label] = 1;
    } else {
      for (let c = 0; c < numLabels; c++) if (logits[i * numLabels + c] > 0) predicted[i * numLabels + c] = 1;
    }
  }
  return multiLabelScores(truth, predicted, numLabels);
}

/** The `count` labels with the largest logits in one row; equal logits in the order of the labels. */
export function topLabels(logits: Float64Array, row: number, numLabels: number, count: number): number[] {
  const at = row * numLabels;
  if (count === 1) {
    let best = 0;
    for (let c = 1; c < numLabels; c++) if (logits[at + c] > logits[at + best]) best = c;
    return [best];
  }
  const order = Array.from({ length: numLabels }, (_, c) => c);
  // comparisons instead of a difference, because both logits may be infinite
  order.sort((a, b) => (logits[at + a] > logits[at + b] ? -1 : logits[at + a] < logits[at + b] ? 1 : a - b));
  return order.slice(0, count);
}
