/** `hmge predict`: labels of unlabelled nodes. */

import { wholeEmbedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { flag, int } from "../../core/options.js";
import { type TableColumn, tableFormat, writeTable } from "../../io/results/write-table.js";
import { formatCount, formatNumber, plural } from "../../report/format.js";
import { table } from "../../report/terminal.js";
import type { ExpectedScores } from "../../tasks/prediction/expected-score.js";
import {
  type LabelPrediction,
  PREDICTION_OPTIONS,
  type PredictedNodes,
  predictLabels,
} from "../../tasks/prediction/predict-labels.js";
import type { Arguments, Command } from "../command.js";
import { readEvaluationInput } from "../evaluate/evaluation-input.js";
import { LABEL_OPTIONS } from "../evaluate/evaluation-options.js";
import { requireOutputFile } from "../folder/output-file.js";
import { findRunGraph, GRAPH_OPTIONS } from "../folder/run-graph.js";
import { text } from "../options/flag-kinds.js";
import type { Output } from "../terminal/output.js";
import { type ProgressBar, showBar } from "../terminal/progress.js";

const OPTIONS = {
  ...LABEL_OPTIONS,
  out: text(undefined, {
    value: "FILE",
    doc: "table of node, label and probability; the extension chooses the format: .csv, .tsv, .jsonl or .parquet",
  }),
  overwrite: flag(false, { doc: "replace the --out file if it exists" }),
  top: int(undefined, {
    min: 1,
    value: "K",
    doc: "write the K most probable labels of each node, and a column predicted that marks the predicted ones",
    defaultText: "predicted labels only",
  }),
  all: flag(false, {
    doc: "also write labelled nodes, each predicted by a probe that was not trained on it; the column given holds their true labels",
  }),
  folds: PREDICTION_OPTIONS.folds,
  repeats: PREDICTION_OPTIONS.repeats,
  noBaselines: flag(false, { doc: "do not score the baselines" }),
  ...GRAPH_OPTIONS,
  noGraph: flag(false, { doc: "leave out the baselines that need the graph: neighbour vote, degrees, features" }),
  seed: PREDICTION_OPTIONS.seed,
};

export const predict: Command<typeof OPTIONS> = {
  usage: "DIR --labels FILE --out FILE [options]",
  options: OPTIONS,
  examples: [
    "vectors --labels labels.csv --out predicted.csv",
    "vectors --labels labels.csv --out predicted.parquet --top 3",
    "vectors --labels labels.csv --out predicted.tsv --graph edges.csv --all",
  ],
  run: runPredict,
};

/** Steps of the progress bar. */
const STEPS = 1000;
/** Separates several labels of a node in one field. */
const LABEL_SEPARATOR = ";";

async function runPredict(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  if (args.words.length !== 1) {
    throw new InputError(
      `predict: ${args.words.length} paths given; expected one, the folder or file of an embedding, such as: hmge predict vectors --labels labels.csv --out predicted.csv`,
    );
  }
  const { values } = args;
  const { out, top, folds, repeats, seed, all, noBaselines, noGraph } = values;
  if (out === undefined) throw new InputError("--out: missing; expected a file, such as --out predicted.csv.");
  tableFormat(out);
  await requireOutputFile(out, values.overwrite, args);
  const { embeddings, labels, paths, notes: before } = await readEvaluationInput(args, "predict");
  const embedding = wholeEmbedding(embeddings[0]);
  const notes = [...before];
  const labelled = embedding.ids.filter((id) => labels.byNode.has(id)).length;
  if (labelled === embedding.ids.length && !all) {
    throw new InputError(
      `${paths.labels}: all ${plural(labelled, "node")} of ${args.words[0]} have a label; there is nothing to predict. Add --all to write out-of-fold predictions of labelled nodes.`,
    );
  }
  const found = noBaselines ? undefined : await findRunGraph(values, args.words[0], output.quiet);
  if (found !== undefined && "reason" in found) {
    if (!noGraph) {
      notes.push(`${found.reason}: neighbour vote, degrees and features are not scored. Give the graph with --graph.`);
    }
  } else notes.push(...(found?.notes ?? []));

  let bar: ProgressBar | undefined;
  const result = predictLabels(embedding, labels, {
    graph: found?.graph,
    baselines: !noBaselines,
    folds,
    repeats,
    seed,
    onProgress(done) {
      bar ??= showBar(STEPS, output.quiet);
      bar.update(Math.round(STEPS * done), () => [`cross-validation ${Math.round(100 * done)} %`]);
    },
  });
  if (process.stderr.isTTY === true) bar?.end();
  notes.push(...result.notes);
  await writeTable(out, tableColumns(result, { top, all, knownLabels: labels.byNode }));
  const { predicted, outOfFold: _, ...rest } = result;
  output.document({ task: "predict", files: { ...paths, out }, numPredicted: predicted.ids.length, ...rest, notes });
  if (!output.json) for (const line of resultText(result, output)) output.print(line);
  if (!output.quiet) output.print(`  ${out}`);
  for (const note of notes) output.note(`note: ${note}`);
  return 0;
}

interface TableRequest {
  readonly top: number | undefined;
  readonly all: boolean;
  readonly knownLabels: ReadonlyMap<string, readonly string[]>;
}

/** One row for each node and label. */
function tableColumns(result: LabelPrediction, { top, all, knownLabels }: TableRequest): TableColumn[] {
  const node: string[] = [];
  const label: string[] = [];
  const probability: number[] = [];
  const isPredicted: number[] = [];
  const known: string[] = [];
  const names = result.classes.map(({ name }) => name);
  const add = ({ ids, probabilities, labels }: PredictedNodes) => {
    ids.forEach((id, i) => {
      const nodeProbabilities = probabilities.subarray(i * names.length, (i + 1) * names.length);
      const chosen = top === undefined ? labels[i] : [...names.keys()];
      const order = [...chosen].sort((a, b) => nodeProbabilities[b] - nodeProbabilities[a] || a - b).slice(0, top);
      for (const c of order) {
        node.push(id);
        label.push(names[c]);
        probability.push(nodeProbabilities[c]);
        isPredicted.push(labels[i].includes(c) ? 1 : 0);
        known.push((knownLabels.get(id) ?? []).join(LABEL_SEPARATOR));
      }
    });
  };
  add(result.predicted);
  if (all) add(result.outOfFold);
  return [
    { name: "node", values: node },
    { name: "label", values: label },
    { name: "probability", values: Float64Array.from(probability) },
    ...(top === undefined ? [] : [{ name: "predicted", values: Float64Array.from(isPredicted) }]),
    ...(all ? [{ name: "given", values: known }] : []),
  ];
}

function resultText(result: LabelPrediction, { style, ascii, columns }: Output): string[] {
  const { predicted, numLabelled, classes, multiLabel, choice, baselines, folds, repeats } = result;
  const other = choice.rows === "raw" ? "standardised" : "raw";
  const kinds = multiLabel
    ? `${plural(classes.length, "label")}, several per node`
    : plural(classes.length, "class", "classes");
  const validation = `${repeats > 1 ? `${repeats} × ` : ""}${folds}-fold cross-validation`;
  const rule =
    choice.threshold === null
      ? "the most probable label is predicted"
      : `labels with probability ${choice.threshold.toFixed(2)} or more are predicted, and always the most probable one`;
  const sign = ascii ? "+-" : "±";
  const cell = ({ mean, deviation }: ExpectedScores["macroF1"]) =>
    `${(100 * mean).toFixed(1)} ${sign} ${(100 * deviation).toFixed(1)}`;
  const line = (name: string, { macroF1, microF1, accuracy }: ExpectedScores) => [
    name,
    cell(macroF1),
    cell(microF1),
    cell(accuracy),
  ];
  return [
    `${style.bold("predict")}  ${formatCount(predicted.ids.length)} of ${plural(predicted.ids.length + numLabelled, "node")} from ${formatCount(numLabelled)} labelled nodes; ${kinds}`,
    `         logistic regression on ${choice.rows} vectors, C = ${formatNumber(choice.strength)}, chosen by ${validation} (macro-F1 ${percent(choice.macroF1[choice.rows])}; ${other} vectors ${percent(choice.macroF1[other])})`,
    `         ${rule}; log-loss ${result.logLoss.toFixed(3)}, calibration error ${result.calibrationError.toFixed(3)}`,
    "         log-loss: mean of -ln(probability of the true label); 0 is best",
    "         calibration error (ECE): mean difference between the predicted probability and the share of correct labels; 0 is best",
    "",
    "expected score of the predicted labels, in %",
    table(
      [
        ["", "macro-F1", "micro-F1", "accuracy"],
        line("these predictions", result.expected),
        ...baselines.map(({ name, expected }) => line(name, expected)),
      ],
      { ascii, width: columns },
    ),
    ...baselineText(result),
    `${sign}: standard deviation over bootstrap samples of the labelled nodes${baselines.length === 0 ? "" : "; the baselines use the same folds"}.`,
  ];
}

/** A sentence if a baseline is better, or worse by less than half of its deviation. */
function baselineText({ baselines, expected }: LabelPrediction): string[] {
  const best = [...baselines].sort((a, b) => b.expected.macroF1.mean - a.expected.macroF1.mean).at(0);
  if (best === undefined) return [];
  const { mean, deviation } = best.expected.macroF1;
  const score = percent(mean);
  const subject = WORDS[best.name] ?? best.name;
  if (mean > expected.macroF1.mean)
    return [`${subject} higher: ${score}. The vectors are not needed for these labels.`];
  if (mean + deviation / 2 < expected.macroF1.mean) return [];
  return [`${subject} about as high: ${score}.`];
}

const WORDS: Readonly<Record<string, string>> = {
  majority: "Always naming the most frequent labels scores",
  "neighbour vote": "A vote of the labelled neighbours scores",
  degrees: "The degrees alone score",
  features: "The features alone score",
};

function percent(value: number): string {
  return (100 * value).toFixed(1);
}
