/**
 * Calibrated probabilities: a softmax of the logits if every node has one label, a sigmoid for each label if nodes have
 * several. The logits are divided by a temperature (Guo, Pleiss, Sun, Weinberger, ICML 2017) that is chosen on
 * cross-validated logits, because a probe with the C of the best macro-F1 is often overconfident.
 */

import type { LabelledNodes } from "../labels/labelled-nodes.js";

/** Minimum probability in a log-loss: smaller ones are replaced by it. */
const MIN_PROBABILITY = 1e-12;
/** ln T is searched between minus and plus this. */
const MAX_LOG_TEMPERATURE = 3;
/** Steps of the golden-section search: they find T to within 0.1 %. */
const STEPS = 25;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Number of equally wide bins of the calibration error. */
const NUM_BINS = 10;

/** Probabilities of the labels, rows × labels. */
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

/**
 * Mean of −ln p of the truth over nodes and, if nodes have several labels, over labels. Labels with an infinite logit are
 * omitted (see `omittedFromLogLoss`).
 */
export function logLoss({ labels, names, multiLabel }: LabelledNodes, logits: Float64Array, temperature = 1): number {
  const numLabels = names.length;
  const p = probabilitiesOf(logits, numLabels, multiLabel, temperature);
  let [sum, count] = [0, 0];
  const add = (at: number, isTrue: boolean) => {
    if (!Number.isFinite(logits[at])) return;
    sum -= Math.log(Math.max(MIN_PROBABILITY, isTrue ? p[at] : 1 - p[at]));
    count++;
  };
  labels.forEach((nodeLabels, i) => {
    if (!multiLabel) add(i * numLabels + nodeLabels[0], true);
    else for (let c = 0; c < numLabels; c++) add(i * numLabels + c, nodeLabels.includes(c));
  });
  return count === 0 ? 0 : sum / count;
}

/**
 * The labels that `logLoss` omits, and for how many nodes: a probe has an infinite logit for a label that none of its training
 * nodes has or, if nodes have several labels, that all of them have.
 */
export function omittedFromLogLoss(
  { labels, names, multiLabel }: LabelledNodes,
  logits: readonly Float64Array[],
): { readonly names: readonly string[]; readonly numNodes: number } {
  const [omitted, nodes] = [new Set<number>(), new Set<number>()];
  const check = (node: number, label: number) => {
    if (logits.every((repeat) => Number.isFinite(repeat[node * names.length + label]))) return;
    omitted.add(label);
    nodes.add(node);
  };
  labels.forEach((nodeLabels, i) => {
    if (!multiLabel) check(i, nodeLabels[0]);
    else for (let c = 0; c < names.length; c++) check(i, c);
  });
  return { names: names.filter((_, c) => omitted.has(c)), numNodes: nodes.size };
}

/** The temperature with the smallest log-loss of cross-validated logits, averaged over the repeats. */
export function chooseTemperature(nodes: LabelledNodes, logits: readonly Float64Array[]): number {
  const loss = (x: number) => logits.reduce((sum, repeat) => sum + logLoss(nodes, repeat, Math.exp(x)), 0);
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
 * Expected calibration error (ECE): labels are binned by their probability; the error is the mean absolute difference between
 * the mean probability and the share of right labels of a bin, weighted by its size. It takes the most probable label of each
 * node, or all labels if nodes have several.
 */
export function calibrationError(
  { labels, names, multiLabel }: LabelledNodes,
  logits: Float64Array,
  temperature: number,
): number {
  const numLabels = names.length;
  const p = probabilitiesOf(logits, numLabels, multiLabel, temperature);
  const [counts, confidence, right] = Array.from({ length: 3 }, () => new Float64Array(NUM_BINS));
  labels.forEach((nodeLabels, i) => {
    let best = 0;
    for (let c = 1; c < numLabels; c++) if (p[i * numLabels + c] > p[i * numLabels + best]) best = c;
    for (let c = multiLabel ? 0 : best; c < (multiLabel ? numLabels : best + 1); c++) {
      const value = p[i * numLabels + c];
      const bin = Math.min(NUM_BINS - 1, Math.floor(value * NUM_BINS));
      counts[bin]++;
      confidence[bin] += value;
      if (nodeLabels.includes(c)) right[bin]++;
    }
  });
  const total = counts.reduce((sum, count) => sum + count, 0);
  return confidence.reduce((sum, value, bin) => sum + Math.abs(value - right[bin]), 0) / total;
}
