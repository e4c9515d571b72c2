/** Accuracy and F1 for nodes with one label and for nodes with several labels. 0/0 counts as 0. */

import { InputError } from "../../core/errors.js";
import { requireCount, requireSameLength } from "../../core/validation.js";

/** F1 averaged over the classes (macro) and over all decisions (micro), and accuracy. */
export interface F1Scores {
  readonly macroF1: number;
  readonly microF1: number;
  /** Share of nodes whose label, or complete set of labels, is right. */
  readonly accuracy: number;
}

/** One class per node, from 0 to numClasses − 1. The macro mean is over the classes that occur in truth or prediction. */
export function classScores(truth: ArrayLike<number>, predicted: ArrayLike<number>, numClasses: number): F1Scores {
  requireSameLength(truth, predicted, "predicted");
  requireCount(numClasses, "numClasses");
  for (const [name, classes] of Object.entries({ truth, predicted })) {
    for (let i = 0; i < classes.length; i++) {
      if (Number.isInteger(classes[i]) && classes[i] >= 0 && classes[i] < numClasses) continue;
      throw new InputError(`${name}: entry ${i} is ${classes[i]}; expected a class from 0 to ${numClasses - 1}.`);
    }
  }
  const counts = new Counts(numClasses);
  let right = 0;
  for (let i = 0; i < truth.length; i++) {
    if (truth[i] === predicted[i]) right++;
    counts.truth[truth[i]]++;
    counts.predicted[predicted[i]]++;
    if (truth[i] === predicted[i]) counts.both[truth[i]]++;
  }
  return {
    macroF1: counts.macroF1((c) => counts.truth[c] + counts.predicted[c] > 0),
    microF1: counts.microF1(),
    accuracy: right / truth.length,
  };
}

/** Several labels per node: n × numLabels entries 0 or 1, row by row. The macro mean is over all labels. */
export function multiLabelScores(truth: ArrayLike<number>, predicted: ArrayLike<number>, numLabels: number): F1Scores {
  requireSameLength(truth, predicted, "predicted");
  requireCount(numLabels, "numLabels");
  if (truth.length % numLabels !== 0) {
    throw new InputError(
      `truth: ${truth.length} entries; expected a multiple of ${numLabels}, one entry per node and label.`,
    );
  }
  const counts = new Counts(numLabels);
  const n = truth.length / numLabels;
  let right = 0;
  for (let i = 0; i < n; i++) {
    let same = true;
    for (let c = 0; c < numLabels; c++) {
      const isTrue = truth[i * numLabels + c] !== 0;
      const isPredicted = predicted[i * numLabels + c] !== 0;
      if (isTrue) counts.truth[c]++;
      if (isPredicted) counts.predicted[c]++;
      if (isTrue && isPredicted) counts.both[c]++;
      if (isTrue !== isPredicted) same = false;
    }
    if (same) right++;
  }
  return { macroF1: counts.macroF1(() => true), microF1: counts.microF1(), accuracy: right / n };
}

/** For each class the number of nodes that truly have it, that are predicted to have it, and both. */
class Counts {
  readonly truth: Float64Array;
  readonly predicted: Float64Array;
  readonly both: Float64Array;

  constructor(numClasses: number) {
    this.truth = new Float64Array(numClasses);
    this.predicted = new Float64Array(numClasses);
    this.both = new Float64Array(numClasses);
  }

  macroF1(counts: (c: number) => boolean): number {
    let sum = 0;
    let number = 0;
    for (let c = 0; c < this.truth.length; c++) {
      if (!counts(c)) continue;
      sum += f1(this.both[c], this.truth[c], this.predicted[c]);
      number++;
    }
    return sum / number;
  }

  microF1(): number {
    const total = (a: Float64Array) => a.reduce((sum, value) => sum + value, 0);
    return f1(total(this.both), total(this.truth), total(this.predicted));
  }
}

function f1(both: number, truth: number, predicted: number): number {
  return truth + predicted === 0 ? 0 : (2 * both) / (truth + predicted);
}
