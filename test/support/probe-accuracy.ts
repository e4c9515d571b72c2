/** How well a linear probe, trained on a few nodes, predicts the classes of the others. */

import type { Embedding } from "../../src/core/embedding.js";
import type { Rows } from "../../src/numeric/rows.js";
import { fitLogistic } from "../../src/tasks/classification/logistic-regression.js";
import { rawRows, selectRows, standardizedRows } from "../../src/tasks/classification/standardize.js";
import { predictClasses } from "./predict-classes.js";

/** Accuracy on the nodes the probe has not seen; it learns from the standardised vectors of every `step`-th node. */
export function probeAccuracy(embedding: Embedding, classes: readonly number[], step: number): number {
  return accuracyOf(standardizedRows(embedding), classes, step);
}

/** The same with vectors as they are, so that short columns matter little. `strength`: C of the probe. */
export function rawProbeAccuracy(embedding: Embedding, classes: readonly number[], step: number, strength = 1): number {
  return accuracyOf(rawRows(embedding), classes, step, strength);
}

function accuracyOf(rows: Rows, classes: readonly number[], step: number, strength = 1): number {
  const training = Uint32Array.from({ length: Math.ceil(classes.length / step) }, (_, i) => step * i);
  const seen = [...training].map((i) => classes[i]);
  const numClasses = classes.reduce((most, c) => Math.max(most, c + 1), 0);
  const predicted = predictClasses(fitLogistic(selectRows(rows, training), seen, numClasses, strength), rows);
  const unseen = [...predicted.keys()].filter((i) => i % step !== 0);
  return unseen.filter((i) => predicted[i] === classes[i]).length / unseen.length;
}
