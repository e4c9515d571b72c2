/**
 * Accuracy of a linear probe on the vectors of a model, for the synthetic multiplex of the HMGE paper with varying numbers of relations.
 *
 *   node bench/run.mjs sbm-quality [--model hmge] [--relations 3,15,41] [--noise 0] [--seeds 1,2,3] [option=value …]
 *
 * 3,000 nodes, p_in 0.05, p_out 0.01; standardised vectors; logistic regression (C = 1) on 10 % of the labels, mean of five
 * random splits; one line per graph seed, then the means. --noise N adds N noise relations: their edges are random, have the same
 * density and do not depend on the labels.
 */

import { Rng } from "../src/core/rng.js";
import { generateSbm } from "../src/graph/synthetic/sbm.js";
import * as models from "../src/models/index.js";
import type { Model } from "../src/nn/model.js";
import type { Rows } from "../src/numeric/rows.js";
import { fitLogistic } from "../src/tasks/classification/logistic-regression.js";
import { rawRows, selectRows, standardizedRows } from "../src/tasks/classification/standardize.js";
import { train } from "../src/train/train.js";
import { predictClasses } from "../test/support/predict-classes.js";
import { textOption } from "./options.js";

const args = process.argv.slice(2);
const relations = textOption("relations", "3,15,41").split(",").map(Number);
const seeds = textOption("seeds", "1,2,3").split(",").map(Number);
const noise = Number(textOption("noise", "0"));
const name = textOption("model", "hmge");
const model = (models as unknown as Record<string, Model>)[name];
if (model === undefined)
  throw new Error(`--model: unknown model ${name}; expected one of ${Object.keys(models).join(", ")}`);
const [nodes, pIn, pOut] = [3000, 0.05, 0.01];
const options = Object.fromEntries(args.filter((arg) => arg.includes("=")).map((arg) => arg.split("=")));

/** Mean accuracy of logistic regression over random splits. */
function probeAccuracy(rows: Rows, classes: number[], trainingShare: number, repeats: number): number {
  let sum = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const order = new Uint32Array(classes.length);
    new Rng(repeat, "probe").permutation(order);
    const numTraining = Math.round(trainingShare * classes.length);
    const [training, test] = [order.slice(0, numTraining), order.slice(numTraining)];
    const model = fitLogistic(
      selectRows(rows, training),
      [...training].map((i) => classes[i]),
      2,
      1,
    );
    const predicted = predictClasses(model, selectRows(rows, test));
    sum += predicted.filter((c, i) => c === classes[test[i]]).length / test.length;
  }
  return sum / repeats;
}

for (const count of relations) {
  const scores: number[] = [];
  for (const seed of seeds) {
    const { graph, labels } = generateSbm({ nodes, relations: count, pIn, pOut, noise, seed });
    const start = performance.now();
    const run = await train(graph, model, { seed, ...options });
    const seconds = (performance.now() - start) / 1000;
    const classes = labels.map((label) => (label === "c1" ? 1 : 0));
    const score = probeAccuracy(standardizedRows(run.embedding), classes, 0.1, 5);
    const raw = probeAccuracy(rawRows(run.embedding), classes, 0.1, 5);
    scores.push(score);
    console.log(
      `relations ${count} seed ${seed}: accuracy ${score.toFixed(3)} (raw ${raw.toFixed(3)}), ${run.numEpochs} epochs, best ${run.bestEpoch}, loss ${run.bestLoss.toExponential(2)}, ${(run.seconds / run.numEpochs).toFixed(3)} s/epoch, ${seconds.toFixed(0)} s`,
    );
  }
  console.log(`relations ${count}: mean ${(scores.reduce((a, b) => a + b) / scores.length).toFixed(4)}`);
}
