/**
 * Compares rules that choose the settings of a probe (choose-probe.ts): test macro-F1 if they choose.
 *
 *   node bench/run.mjs probe-choice DATASET:RUN… [--repeats 10]
 *
 * RUN is the folder of an embedding of DATASET. The split of the dataset is used if it has one; otherwise random splits with 10 %
 * of the labels for training. Each rule chooses scaling and C, and with "prefix" also the number of columns.
 */

import { mean } from "../src/numeric/rows.js";
import { tableText } from "../src/report/table.js";
import { table } from "../src/report/terminal.js";
import { type ChoiceRule, ProbeRows } from "../src/tasks/classification/choose-probe.js";
import { STRENGTHS } from "../src/tasks/classification/choose-strength.js";
import { rawRows } from "../src/tasks/classification/standardize.js";
import { fitAllValidated } from "../src/tasks/classification/validated-probe.js";
import { readLabelledRun, runArguments } from "./labelled-runs.js";
import { numberOption } from "./options.js";

const RULES: readonly ChoiceRule[] = [0, 0.03, 0.1].flatMap((lossWeight) =>
  [1, 3].map((maxDivisions) => ({ lossWeight, maxDivisions })),
);
const PREFIXES = ["all", "validate"] as const;

const repeats = numberOption("repeats", 10);
const pairs = runArguments("probe-choice");

const rows: (readonly [name: string, scores: readonly number[]])[] = [];
for (const [dataset, run] of pairs) {
  const { name, embedding, nodes, splits } = await readLabelledRun(dataset, run, repeats);
  const vectors = new ProbeRows(rawRows(embedding), nodes.rows);
  const scores = PREFIXES.flatMap((prefix) =>
    RULES.map((rule) => {
      const grid = { scaling: "validate", prefix, strengths: STRENGTHS, rule } as const;
      const fits = fitAllValidated(nodes, vectors, splits, grid, 1, () => {});
      return mean(fits.map((fit) => fit.scores[fit.scores.length - 1].macroF1));
    }),
  );
  rows.push([name, scores]);
  console.error(`${name}: ${scores.map((score) => (100 * score).toFixed(1)).join(" ")}`);
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
