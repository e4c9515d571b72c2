/** How well a linear probe, trained on a few nodes, predicts the classes of the others from standardised vectors. */

import type { Embedding } from "../../src/core/embedding.js";
import { fitLogistic } from "../../src/tasks/classification/logistic-regression.js";
import { selectRows, standardizedRows } from "../../src/tasks/classification/standardize.js";
import { predictClasses } from "./predict-classes.js";

/** Accuracy on the nodes the probe has not seen; it learns from every `step`-th node. */
export function probeAccuracy(embedding: Embedding, classes: readonly number[], step: number): number {
  const rows = standardizedRows(embedding);
  const training = Uint32Array.from({ length: Math.ceil(classes.length / step) }, (_, i) => step * i);
  const seen = [...training].map((i) => classes[i]);
  const numClasses = classes.reduce((most, c) => Math.max(most, c + 1), 0);
  const predicted = predictClasses(fitLogistic(selectRows(rows, training), seen, numClasses, 1), rows);
  const unseen = [...predicted.keys()].filter((i) => i % step !== 0);
  return unseen.filter((i) => predicted[i] === classes[i]).length / unseen.length;
}
