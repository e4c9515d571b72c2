/**
 * Metrics of scores against yes or no. Equal scores are one threshold: no order among them is assumed.
 *
 * All walk the distinct scores from the largest down with the counts of yes (tp) and no (fp) at or above each.
 * NaN where a metric has no meaning: without a yes, and for the ROC curve also without a no.
 */

import { InputError } from "../../core/errors.js";
import { requireCount } from "../../core/validation.js";

/** 1 (or true) is yes, 0 is no. */
type Truth = ArrayLike<number | boolean>;

/** Calls `visit` for each distinct score, from the largest, with the numbers of yes and no that have it. */
function eachThreshold(
  truth: Truth,
  scores: ArrayLike<number>,
  visit: (yes: number, no: number, score: number) => void,
): { positives: number; negatives: number } {
  if (truth.length === 0) throw new InputError("truth: nothing given; expected an entry for each pair.");
  if (truth.length !== scores.length) {
    throw new InputError(`scores: found ${scores.length} for ${truth.length} pairs; expected one each.`);
  }
  const positives = sorted(truth, scores, true);
  const negatives = sorted(truth, scores, false);
  let p = positives.length;
  let n = negatives.length;
  while (p > 0 || n > 0) {
    const score = Math.max(p > 0 ? positives[p - 1] : -Infinity, n > 0 ? negatives[n - 1] : -Infinity);
    const [fromP, fromN] = [p, n];
    while (p > 0 && positives[p - 1] === score) p--;
    while (n > 0 && negatives[n - 1] === score) n--;
    visit(fromP - p, fromN - n, score);
  }
  return { positives: positives.length, negatives: negatives.length };
}

/** Scores of the yes or of the no, smallest first. */
function sorted(truth: Truth, scores: ArrayLike<number>, yes: boolean): Float64Array {
  const chosen = new Float64Array(truth.length);
  let count = 0;
  for (let i = 0; i < truth.length; i++) {
    if (Boolean(truth[i]) !== yes) continue;
    if (typeof scores[i] !== "number" || Number.isNaN(scores[i]))
      throw new InputError(`scores: entry ${i} is not a number; expected numbers.`);
    chosen[count++] = scores[i];
  }
  return chosen.subarray(0, count).sort();
}

/** Probability that a yes scores above a no; equal scores count half (midranks). */
export function rocAuc(truth: Truth, scores: ArrayLike<number>): number {
  let above = 0;
  let area = 0;
  const { positives, negatives } = eachThreshold(truth, scores, (yes, no) => {
    area += no * (above + yes / 2);
    above += yes;
  });
  return area / (positives * negatives);
}

/** Σ (recall_n − recall_{n−1})·precision_n over the thresholds, without interpolation. */
export function averagePrecision(truth: Truth, scores: ArrayLike<number>): number {
  let tp = 0;
  let seen = 0;
  let sum = 0;
  const { positives } = eachThreshold(truth, scores, (yes, no) => {
    tp += yes;
    seen += yes + no;
    sum += yes * (tp / seen);
  });
  return sum / positives;
}

/** Area under the precision–recall curve by trapezoids, from (recall 0, precision 1). */
export function precisionRecallAuc(truth: Truth, scores: ArrayLike<number>): number {
  let tp = 0;
  let seen = 0;
  let precision = 1;
  let sum = 0;
  const { positives } = eachThreshold(truth, scores, (yes, no) => {
    tp += yes;
    seen += yes + no;
    sum += (yes * (precision + tp / seen)) / 2;
    precision = tp / seen;
  });
  return sum / positives;
}

/**
 * F1 where the best-scored are taken for yes, as many as there are (GATNE); then it is precision and recall as well. Of
 * scores that are tied at the threshold the part that is needed is taken at random, and the mean of that is given: all
 * alike, they have the share of the yes. Taking all of them instead would make F1 2/3 of scores that know nothing.
 */
export function rightCountF1(truth: Truth, scores: ArrayLike<number>): number {
  let positives = 0;
  for (let i = 0; i < truth.length; i++) if (truth[i]) positives++;
  let tp = 0;
  let taken = 0;
  eachThreshold(truth, scores, (yes, no) => {
    const share = Math.min(1, (positives - taken) / (yes + no));
    tp += yes * share;
    taken += (yes + no) * share;
  });
  return tp / positives;
}

/** Share of the yes that score above the k-th best no (as in OGB); 1 with fewer than k no. */
export function hitsAtK(truth: Truth, scores: ArrayLike<number>, k: number): number {
  requireCount(k, "hits: k");
  let hits = 0;
  let passed = 0;
  const { positives } = eachThreshold(truth, scores, (yes, no) => {
    if (passed + no < k) hits += yes;
    passed += no;
  });
  return hits / positives;
}
