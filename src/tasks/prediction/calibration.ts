/**
 * Probabilities of labels from logits: a softmax if every node has one label, a sigmoid for each label if nodes have
 * several. Logits are divided by a temperature (Guo, Pleiss, Sun, Weinberger, ICML 2017), which cross-validated logits
 * choose: a probe with the C of the best macro-F1 is often too sure.
 */

import type { LabelledNodes } from "../labels/labelled-nodes.js";

/** Smallest probability that counts in a log-loss. */
const TINY = 1e-12;
/** Range of ln T that is searched, and steps of the golden section: T to within 0.1 %. */
const MAX_LOG_TEMPERATURE = 3;
const STEPS = 25;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Equal-width bins of the calibration error. */
const NUM_BINS = 10;

/** Rows × labels. */
export function probabilitiesOf(
  logits: Float64Array,
  numLabels: number,
  multiLabel: boolean,
  temperature: number,
): Float64Array {
  const out = new Float64Array(logits.length);
  for (let at = 0; at < logits.length; at += numLabels) {
    if (multiLabel) {
      for (let k = at; k < at + numLabels; k++) out[k] = 1 / (1 + Math.exp(-logits[k] / temperature));
      continue;
    }
    let largest = -Infinity;
    for (let k = at; k < at + numLabels; k++) largest = Math.max(largest, logits[k]);
    let sum = 0;
    for (let k = at; k < at + numLabels; k++) sum += out[k] = Math.exp((logits[k] - largest) / temperature);
    for (let k = at; k < at + numLabels; k++) out[k] /= sum;
  }
  return out;
}

/** Mean over nodes (and labels, if nodes have several) of −ln p of the truth; labels no probe had learnt are left out. */
export function logLoss({ labels, names, multiLabel }: LabelledNodes, logits: Float64Array, temperature = 1): number {
  const numLabels = names.length;
  const p = probabilitiesOf(logits, numLabels, multiLabel, temperature);
  let [sum, count] = [0, 0];
  const add = (at: number, is: boolean) => {
    if (!Number.isFinite(logits[at])) return;
    sum -= Math.log(Math.max(TINY, is ? p[at] : 1 - p[at]));
    count++;
  };
  labels.forEach((own, i) => {
    if (!multiLabel) add(i * numLabels + own[0], true);
    else for (let c = 0; c < numLabels; c++) add(i * numLabels + c, own.includes(c));
  });
  return count === 0 ? 0 : sum / count;
}

/** The temperature with the smallest log-loss of cross-validated logits, mean over the repeats. */
export function chooseTemperature(nodes: LabelledNodes, logits: readonly Float64Array[]): number {
  const loss = (x: number) => logits.reduce((sum, own) => sum + logLoss(nodes, own, Math.exp(x)), 0);
  let [low, high] = [-MAX_LOG_TEMPERATURE, MAX_LOG_TEMPERATURE];
  let [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [lossA, lossB] = [loss(a), loss(b)];
  for (let step = 0; step < STEPS; step++) {
    if (lossA <= lossB) {
      [high, b, lossB] = [b, a, lossA];
      a = high - GOLDEN * (high - low);
      lossA = loss(a);
    } else {
      [low, a, lossA] = [a, b, lossB];
      b = low + GOLDEN * (high - low);
      lossB = loss(b);
    }
  }
  return Math.exp((low + high) / 2);
}

/**
 * Expected calibration error: mean difference between probability and share of right labels over ten bins, of the
 * likeliest label of each node, or of all labels if nodes have several.
 */
export function calibrationError(
  { labels, names, multiLabel }: LabelledNodes,
  logits: Float64Array,
  temperature: number,
): number {
  const numLabels = names.length;
  const p = probabilitiesOf(logits, numLabels, multiLabel, temperature);
  const [counts, sure, right] = Array.from({ length: 3 }, () => new Float64Array(NUM_BINS));
  labels.forEach((own, i) => {
    let best = 0;
    for (let c = 1; c < numLabels; c++) if (p[i * numLabels + c] > p[i * numLabels + best]) best = c;
    for (let c = multiLabel ? 0 : best; c < (multiLabel ? numLabels : best + 1); c++) {
      const value = p[i * numLabels + c];
      const bin = Math.min(NUM_BINS - 1, Math.floor(value * NUM_BINS));
      counts[bin]++;
      sure[bin] += value;
      if (own.includes(c)) right[bin]++;
    }
  });
  const total = counts.reduce((sum, count) => sum + count, 0);
  return sure.reduce((sum, value, bin) => sum + Math.abs(value - right[bin]), 0) / total;
}
