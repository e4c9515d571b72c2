/** The cross-entropy of a probe: how probable it finds the true labels. */

import type { Targets } from "./probe.js";

/** Minimum log-probability of a true label; a class without training nodes would have −∞. */
const MIN_LOG_PROBABILITY = -20;

/** Mean of −log p(label): over the nodes, or with several labels per node over all pairs of node and label. */
export function crossEntropy(logits: Float64Array, { labels, numLabels, multiLabel }: Targets): number {
  let sum = 0;
  labels.forEach((nodeLabels, i) => {
    const row = logits.subarray(i * numLabels, (i + 1) * numLabels);
    if (multiLabel) {
      row.forEach((logit, c) => {
        sum -= Math.max(MIN_LOG_PROBABILITY, -softplus(nodeLabels.includes(c) ? -logit : logit)) / numLabels;
      });
      return;
    }
    const largest = row.reduce((a, b) => Math.max(a, b));
    const total = row.reduce((all, logit) => all + Math.exp(logit - largest), 0);
    sum -= Math.max(MIN_LOG_PROBABILITY, row[nodeLabels[0]] - largest - Math.log(total));
  });
  return sum / labels.length;
}

/** log(1 + eˣ). */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}
