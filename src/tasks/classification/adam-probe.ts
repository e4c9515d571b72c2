/**
 * The probe of the HMGE paper's evaluation (Abdous, Mrabah, Bouguessa, TKDE 2024, published code): one linear layer,
 * softmax cross-entropy (for several labels per node, sigmoids and mean binary cross-entropy), full-batch Adam, no L2
 * penalty. The validation score is computed before each update; the weights with the best score are kept, of equal scores
 * the first.
 */

import type { Rng } from "../../core/rng.js";
import type { Rows } from "../../numeric/rows.js";
import { logisticLoss } from "./logistic-regression.js";
import { type Probe, scoreDecision, type Targets } from "./probe.js";

const EPOCHS = 100;
const LEARNING_RATE = 0.1;
const BETA_1 = 0.9;
const BETA_2 = 0.999;
const EPSILON = 1e-8;

export interface ProbeValidation {
  readonly validation: Rows;
  readonly validationTargets: Targets;
  /** Draws the initial weights. */
  readonly rng: Rng;
}

export function fitAdamProbe(
  train: Rows,
  trainTargets: Targets,
  { validation, validationTargets, rng }: ProbeValidation,
): Probe {
  const stride = train.width + 1;
  const { numLabels } = trainTargets;
  // the usual initial values of a linear layer: weights and biases uniform within ±1/√inputs
  const bound = 1 / Math.sqrt(train.width);
  const x = Float64Array.from({ length: numLabels * stride }, () => (2 * rng.uniform() - 1) * bound);
  const gradient = new Float64Array(x.length);
  const first = new Float64Array(x.length);
  const second = new Float64Array(x.length);
  const loss = lossGradient(train, trainTargets);
  let best = -1;
  let kept = x.slice();
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    const logits = linear(x, numLabels, validation);
    const found = scoreDecision(logits, validationTargets, validationTargets.multiLabel ? "threshold" : "largest");
    const score = validationTargets.multiLabel ? found.macroF1 : found.accuracy;
    if (score > best) {
      best = score;
      kept = x.slice();
    }
    loss(x, gradient);
    const step = (LEARNING_RATE * Math.sqrt(1 - BETA_2 ** epoch)) / (1 - BETA_1 ** epoch);
    const epsilon = EPSILON * Math.sqrt(1 - BETA_2 ** epoch);
    for (let i = 0; i < x.length; i++) {
      first[i] += (1 - BETA_1) * (gradient[i] - first[i]);
      second[i] += (1 - BETA_2) * (gradient[i] * gradient[i] - second[i]);
      x[i] -= (step * first[i]) / (Math.sqrt(second[i]) + epsilon);
    }
  }
  return { score: (rows) => linear(kept, numLabels, rows), converged: true };
}

/** Gradient of the loss, averaged over nodes and, with several labels per node, over labels. */
function lossGradient(train: Rows, { labels, numLabels, multiLabel }: Targets) {
  const n = labels.length;
  if (!multiLabel) {
    const classes = Int32Array.from(labels, ([label]) => label);
    return logisticLoss(train, classes, numLabels, 1 / n);
  }
  const stride = train.width + 1;
  const losses = Array.from({ length: numLabels }, (_, label) => {
    const has = Int32Array.from(labels, (nodeLabels) => (nodeLabels.includes(label) ? 1 : 0));
    return logisticLoss(train, has, 1, 1 / (n * numLabels));
  });
  return (x: Float64Array, gradient: Float64Array) => {
    return losses.reduce((sum, loss, label) => {
      const [from, to] = [label * stride, (label + 1) * stride];
      return sum + loss(x.subarray(from, to), gradient.subarray(from, to));
    }, 0);
  };
}

function linear(x: Float64Array, numLabels: number, { data, width }: Rows): Float64Array {
  const n = data.length / width;
  const logits = new Float64Array(n * numLabels);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < numLabels; c++) {
      const at = c * (width + 1);
      let even = x[at + width];
      let odd = 0;
      for (let k = 0; k + 1 < width; k += 2) {
        even += x[at + k] * data[i * width + k];
        odd += x[at + k + 1] * data[i * width + k + 1];
      }
      if (width % 2 === 1) even += x[at + width - 1] * data[i * width + width - 1];
      logits[i * numLabels + c] = even + odd;
    }
  }
  return logits;
}
