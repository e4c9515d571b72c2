/**
 * Compares rules that choose the settings of a probe (choose-probe.ts): test macro-F1 in %, mean over the splits.
 *
 *   node bench/run.mjs probe-choice DATASET:RUN… [--repeats 10] [--per-class 0] [--rules 6]
 *
 * RUN is the folder of an embedding of DATASET. The split of the dataset is used if it has one; otherwise random splits with 10 %
 * of the labels for training. With `--per-class 20`, random splits train on 20 labels a class instead. Each rule chooses scaling
 * and C. The first table has the rule in use: every fixed prefix, the prefix chosen by validation, and its difference from the
 * fixed prefix with the best mean. The second table has the first `--rules` rules of RULES: the score with all columns, with
 * the chosen prefix, and the difference.
 */

import { mean } from "../src/numeric/rows.js";
import { tableText } from "../src/report/table.js";
import { table } from "../src/report/terminal.js";
import { CHOICE_RULE, type ChoiceRule, PREFIXES } from "../src/tasks/classification/choose-probe.js";
import { STRENGTHS } from "../src/tasks/classification/choose-strength.js";
import { ProbeRows } from "../src/tasks/classification/probe-rows.js";
import { fitAllValidated } from "../src/tasks/classification/validated-probe.js";
import { readLabelledRun, runArguments } from "./labelled-runs.js";
import { numberOption } from "./options.js";

const OTHER_RULES: readonly ChoiceRule[] = [
  { ...CHOICE_RULE, tolerance: 0 },
  { ...CHOICE_RULE, tolerance: 0.2 },
  { ...CHOICE_RULE, tolerance: 0.5 },
  { ...CHOICE_RULE, smoothPrefixes: false },
  { ...CHOICE_RULE, numFolds: 5 },
  { ...CHOICE_RULE, maxDivisions: 1 },
  { ...CHOICE_RULE, lossWeight: 0 },
  { ...CHOICE_RULE, lossWeight: 0.1 },
];
const RULES = [CHOICE_RULE, ...OTHER_RULES].slice(0, numberOption("rules", 1 + OTHER_RULES.length));

const repeats = numberOption("repeats", 10);
const perClass = numberOption("per-class", 0);
const pairs = runArguments("probe-choice");

/** Mean test scores in % with one rule. */
interface RuleScores {
  /** With each of PREFIXES, then with all columns. */
  readonly fixed: readonly number[];
  readonly chosen: number;
}

const graphs: { readonly name: string; readonly rules: readonly RuleScores[] }[] = [];
for (const [dataset, run] of pairs) {
  const { name, embedding, nodes, splits } = await readLabelledRun(dataset, run, { repeats, perClass });
  const vectors = new ProbeRows(embedding, nodes.rows);
  const rules = RULES.map((rule): RuleScores => {
    const score = (prefix: number | "all" | "validate") => {
      const grid = { scaling: "validate", prefix, strengths: STRENGTHS, rule } as const;
      const fits = fitAllValidated(nodes, vectors, splits, grid, 1, () => {});
      return 100 * mean(fits.map(({ scores }) => scores[scores.length - 1].macroF1));
    };
    return { fixed: [...PREFIXES.map(score), score("all")], chosen: score("validate") };
  });
  graphs.push({ name, rules });
  console.error(`${name}: ${rules.map(({ chosen }) => chosen.toFixed(1)).join(" ")}`);
}

const difference = ({ fixed, chosen }: RuleScores) => chosen - Math.max(...fixed);
const digits = (values: readonly number[]) => values.map((value) => value.toFixed(1));
/** Prints one line of numbers per graph and their means. */
function print(columns: readonly string[], valuesOf: (rules: readonly RuleScores[]) => readonly number[]): void {
  const lines = graphs.map(({ name, rules }) => ({ name, values: valuesOf(rules) }));
  const means = columns.map((_, k) => mean(lines.map(({ values }) => values[k])));
  const rows = [...lines, { name: "mean", values: means }].map(({ name, values }) => [name, ...digits(values)]);
  console.log(table(tableText({ header: ["vectors", ...columns], rows }), { ascii: false }));
}

print([...PREFIXES.map(String), "all", "chosen", "difference"], ([used]) => [
  ...used.fixed,
  used.chosen,
  difference(used),
]);
print(
  RULES.flatMap(({ numFolds, maxDivisions, lossWeight, smoothPrefixes, tolerance }) => {
    const rule = `${numFolds} folds × ${maxDivisions}, loss ${lossWeight}, tolerance ${tolerance}${smoothPrefixes ? "" : ", not smoothed"}`;
    return [`${rule}: all`, "chosen", "difference"];
  }),
  (rules) => rules.flatMap((scores) => [scores.fixed[PREFIXES.length], scores.chosen, difference(scores)]),
);
