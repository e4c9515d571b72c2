/**
 * Metrics of scores against a binary truth: positives (1) and negatives (0). Equal scores form one threshold: no order among
 * them is assumed.
 *
 * All metrics visit the distinct scores from the largest down and count the positives (tp) and negatives (fp) at or above
 * each. A metric is NaN if it is undefined: without positives, and for the ROC curve also without negatives.
 */

import { InputError } from "../../core/errors.js";
import { requireCount } from "../../core/validation.js";

/** 1 (or true) is positive, 0 (or false) is negative. */
type Truth = ArrayLike<number | boolean>;

/** Calls `visit` for each distinct score, from the largest, with the numbers of positives and negatives that have it. */
function eachThreshold(
  truth: Truth,
  scores: ArrayLike<number>,
  visit: (yes: number, no: number, score: number) => void,
): { positives: number; negatives: number } {
  if (truth.length === 0) throw new InputError("truth: found no entries; expected one for each pair.");
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

/** Scores of the positives or of the negatives, smallest first. */
function sorted(truth: Truth, scores: ArrayLike<number>, positive: boolean): Float64Array {
  const chosen = new Float64Array(truth.length);
  let count = 0;
  for (let i = 0; i < truth.length; i++) {
    if (Boolean(truth[i]) !== positive) continue;
    if (typeof scores[i] !== "number" || Number.isNaN(scores[i]))
      throw new InputError(`scores: entry ${i} is not a number; expected numbers.`);
    chosen[count++] = scores[i];
  }
  return chosen.subarray(0, count).sort();
}

/** Probability that a random positive scores above a random negative; equal scores count half (midranks). */
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
 * F1 if the best-scored entries are predicted positive, as many as there are positives (GATNE); precision and recall are then
 * equal to it. If scores are tied at the threshold, it is the mean over all choices among them: with all scores equal, the
 * share of positives. Predicting all tied entries instead would give constant scores an F1 of 2/3 on balanced pairs.
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

/** Share of the positives that score above the k-th best negative (as in OGB); 1 with fewer than k negatives. */
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
