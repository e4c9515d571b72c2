/**
 * Compares rules that choose the settings of a probe (choose-probe.ts): test macro-F1 if they choose.
 *
 *   node bench/run.mjs probe-choice DATASET:RUN… [--repeats 10]
 *
 * RUN is the folder of an embedding of DATASET. The split of the dataset is used if it has one; otherwise random splits with 10 %
 * of the labels for training. Each rule chooses scaling and C, and with "prefix" also the number of columns.
 */

import { basename } from "node:path";
import { Rng } from "../src/core/rng.js";
import { readEmbeddings } from "../src/io/formats/embedding-files.js";
import { openDatasetFolder } from "../src/io/graph/dataset-folder.js";
import { loadLabels } from "../src/io/tables/labels.js";
import { loadNodeSplit } from "../src/io/tables/node-split.js";
import { mean } from "../src/numeric/rows.js";
import { tableText } from "../src/report/table.js";
import { table } from "../src/report/terminal.js";
import { type ChoiceRule, ProbeRows } from "../src/tasks/classification/choose-probe.js";
import { STRENGTHS } from "../src/tasks/classification/choose-strength.js";
import { rawRows } from "../src/tasks/classification/standardize.js";
import { fitAllValidated } from "../src/tasks/classification/validated-probe.js";
import { matchLabels } from "../src/tasks/labels/labelled-nodes.js";
import { drawSplit, matchSplit } from "../src/tasks/labels/node-split.js";
import { numberOption } from "./options.js";

const RULES: readonly ChoiceRule[] = [0, 0.03, 0.1].flatMap((lossWeight) =>
  [1, 3].map((maxDivisions) => ({ lossWeight, maxDivisions })),
);
const PREFIXES = ["all", "validate"] as const;

const repeats = numberOption("repeats", 10);
const pairs = process.argv.slice(2).filter((word) => word.includes(":"));
if (pairs.length === 0) {
  console.error("bench probe-choice: expected DATASET:RUN….");
  process.exit(2);
}

/** The labelled nodes of a run and its splits. */
async function readRun(dataset: string, run: string) {
  const folder = await openDatasetFolder(dataset);
  if (folder.labels === undefined) throw new Error(`${dataset}: the dataset has no labels.`);
  const embedding = await readEmbeddings(run);
  const nodes = matchLabels(embedding.ids, await loadLabels(folder.labels));
  const splits =
    folder.split === undefined
      ? Array.from({ length: repeats }, (_, r) => drawSplit(nodes, { train: 0.1 }, new Rng(1, "split", r)))
      : [matchSplit(nodes, await loadNodeSplit(folder.split)).split];
  return { nodes, splits, rows: new ProbeRows(rawRows(embedding), nodes.rows) };
}

const rows: (readonly [name: string, scores: readonly number[]])[] = [];
for (const pair of pairs) {
  const [dataset, run] = pair.split(":");
  const input = await readRun(dataset, run);
  const scores = PREFIXES.flatMap((prefix) =>
    RULES.map((rule) => {
      const grid = { scaling: "validate", prefix, strengths: STRENGTHS, rule } as const;
      const fits = fitAllValidated(input.nodes, input.rows, input.splits, grid, 1, () => {});
      return mean(fits.map((fit) => fit.scores[fit.scores.length - 1].macroF1));
    }),
  );
  rows.push([basename(run), scores]);
  console.error(`${basename(run)}: ${scores.map((score) => (100 * score).toFixed(1)).join(" ")}`);
}

const header = ["vectors"].concat(
  PREFIXES.flatMap((prefix) =>
    RULES.map(
      ({ lossWeight, maxDivisions }) => `${prefix === "all" ? "" : "prefix, "}loss ${lossWeight}, ×${maxDivisions}`,
    ),
  ),
);
const means = rows[0][1].map((_, k) => mean(rows.map(([, scores]) => scores[k])));
const lines = [...rows, ["mean", means] as const].map(([name, scores]) => [
  name,
  ...scores.map((score) => (100 * score).toFixed(1)),
]);
console.log(table(tableText({ header, rows: lines }), { ascii: false }));
