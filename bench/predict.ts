/**
 * Compares the scores that `predictLabels` expects with the true scores.
 *
 *   node bench/run.mjs predict DATASET… [--draws 5] [--share 0.1] [--seed 1] [--baselines 0]
 *   node bench/run.mjs predict DATASET=VECTORS…
 *
 * Trains multiview on each dataset folder, or reads the vectors of a run. Each draw keeps a stratified share of the labels,
 * predicts the others and compares the expected scores with the true ones, in %. z: the difference of the macro-F1, in
 * standard deviations that `predictLabels` states.
 */

import { basename } from "node:path";
import { Rng } from "../src/core/rng.js";
import { openDatasetFolder } from "../src/io/graph/dataset-folder.js";
import { loadGraph, loadLabels, readEmbeddings } from "../src/io/index.js";
import { multiview } from "../src/models/index.js";
import { mean } from "../src/numeric/rows.js";
import { table } from "../src/report/terminal.js";
import { matchLabels, selectNodes } from "../src/tasks/labels/labelled-nodes.js";
import { drawSplit } from "../src/tasks/labels/node-split.js";
import type { F1Scores } from "../src/tasks/metrics/classification-metrics.js";
import { weightedScores } from "../src/tasks/prediction/expected-score.js";
import { predictLabels } from "../src/tasks/prediction/predict-labels.js";
import { train } from "../src/train/train.js";
import { numberOption } from "./options.js";

const NAMES = ["draws", "share", "seed", "baselines"];
const draws = numberOption("draws", 5);
const share = numberOption("share", 0.1);
const seed = numberOption("seed", 1);
/** `--baselines 0` skips the baselines, which take most of the time if there are features. */
const baselines = numberOption("baselines", 1) === 1;
const METRICS: readonly (keyof F1Scores)[] = ["macroF1", "microF1", "accuracy"];
const words = process.argv
  .slice(2)
  .filter((word, at, all) => !word.startsWith("--") && !NAMES.includes(all[at - 1]?.slice(2) ?? ""));

const percent = (value: number) => (100 * value).toFixed(1);
for (const word of words) {
  const [folder, vectors] = word.split("=");
  const { labels: path } = await openDatasetFolder(folder);
  if (path === undefined) throw new Error(`${folder} has no labels`);
  const graph = await loadGraph([folder], {});
  const all = await loadLabels(path);
  const embedding =
    vectors === undefined ? (await train(graph, multiview, { seed })).embedding : await readEmbeddings(vectors);
  const nodes = matchLabels(embedding.ids, all);
  const rows: string[][] = [];
  const differences = METRICS.map((): number[] => []);
  for (let draw = 0; draw < draws; draw++) {
    const split = drawSplit(nodes, { train: share, stratify: true }, new Rng(seed, "bench.predict", draw));
    const byNode = new Map(
      Array.from(split.train, (place) => [nodes.ids[place], all.byNode.get(nodes.ids[place]) ?? []]),
    );
    const begin = performance.now();
    const found = predictLabels(embedding, { byNode, names: all.names }, { graph, baselines, seed: draw });
    const seconds = (performance.now() - begin) / 1000;
    const placeOf = new Map(nodes.names.map((name, place) => [name, place]));
    const predictedOf = new Map(found.predicted.ids.map((id, i) => [id, found.predicted.labels[i]]));
    const tested = selectNodes(nodes, split.test);
    const truth = weightedScores(
      tested,
      tested.ids.map((id) => (predictedOf.get(id) ?? []).map((c) => placeOf.get(found.classes[c].name) ?? 0)),
      new Float64Array(tested.ids.length).fill(1),
    );
    for (const [m, metric] of METRICS.entries()) differences[m].push(found.expected[metric].mean - truth[metric]);
    const { macroF1 } = found.expected;
    rows.push([
      String(draw),
      String(found.numLabelled),
      `${found.choice.rows}, C ${found.choice.strength}`,
      ...METRICS.map((metric) => `${percent(found.expected[metric].mean)} / ${percent(truth[metric])}`),
      ((macroF1.mean - truth.macroF1) / macroF1.deviation).toFixed(1),
      found.calibrationError.toFixed(3),
      found.baselines.map(({ name, expected }) => `${name} ${percent(expected.macroF1.mean)}`).join(", "),
      seconds.toFixed(1),
    ]);
  }
  rows.push([
    "mean",
    "",
    "expected − true",
    ...differences.map((own) => `${percent(mean(own))} (|…| ${percent(mean(own.map(Math.abs)))})`),
    "",
    "",
    "",
    "",
  ]);
  console.log(basename(folder));
  const header = [
    "draw",
    "labelled",
    "chosen",
    "macro-F1 expected / true",
    "micro-F1",
    "accuracy",
    "z",
    "ECE",
    "baselines",
    "seconds",
  ];
  console.log(table([header, ...rows]));
}
