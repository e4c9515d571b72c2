/** `hmge evaluate classify`: predicts labels by a linear probe on vectors. */

import { InputError } from "../../core/errors.js";
import { formatCount, formatNumber, plural } from "../../report/format.js";
import {
  CLASSIFICATION_OPTIONS,
  type Classification,
  type ClassificationRow,
  classifyNodes,
  DEFAULT_STRENGTH,
} from "../../tasks/classification/node-classification.js";
import type { Arguments, Command } from "../command.js";
import { text } from "../options/flag-kinds.js";
import { strengthOption, strengthText } from "../options/strength-option.js";
import type { Output } from "../terminal/output.js";
import { type ProgressBar, showBar } from "../terminal/progress.js";
import { readEvaluationInput } from "./evaluation-input.js";
import { LABEL_OPTIONS } from "./evaluation-options.js";
import { printScores, spreadNote, spreadText } from "./evaluation-text.js";

const OPTIONS = {
  ...LABEL_OPTIONS,
  train: CLASSIFICATION_OPTIONS.train,
  validation: CLASSIFICATION_OPTIONS.validation,
  stratify: CLASSIFICATION_OPTIONS.stratify,
  split: text(undefined, {
    value: "FILE",
    doc: "table with the columns node and split (train, val, test), instead of a random split; or the word given, for the split file of the dataset folder",
  }),
  strength: strengthOption(undefined, String(DEFAULT_STRENGTH)),
  protocol: CLASSIFICATION_OPTIONS.protocol,
  repeats: CLASSIFICATION_OPTIONS.repeats,
  seed: CLASSIFICATION_OPTIONS.seed,
};

export const evaluateClassify: Command<typeof OPTIONS> = {
  usage: "DIR… --labels FILE [options]",
  options: OPTIONS,
  examples: [
    "vectors --labels labels.csv",
    "seed1 seed2 seed3 --labels labels.csv --train 0.06 --stratify --repeats 20",
    "vectors --labels dataset --split given --strength validate --json",
    "vectors --labels dataset --split given --protocol paper",
  ],
  run: runClassify,
};

async function runClassify(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const { train, validation, stratify, protocol, strength, repeats, seed } = args.values;
  if (strength !== undefined && protocol === "paper") {
    throw new InputError("--strength: does not apply to --protocol paper. Remove one of the two options.");
  }
  if (args.flags.has("split")) {
    const conflict = ["train", "validation", "stratify"].find((name) => args.flags.has(name));
    if (conflict !== undefined)
      throw new InputError(`--${conflict}: cannot be combined with --split. Remove one of the two options.`);
  }
  const { embeddings, labels, split, paths, notes: inputNotes } = await readEvaluationInput(args, "classify");
  let bar: ProgressBar | undefined;
  const classification = classifyNodes(embeddings, labels, {
    split: split === undefined ? { train, validation, stratify } : split,
    protocol,
    strength,
    repeats,
    seed,
    onProgress(done, total) {
      bar ??= showBar(total, output.quiet);
      bar.update(done, () => [`probe ${done}/${total}`]);
    },
  });
  // If stderr is not a terminal, the final line of the progress bar would only repeat the result.
  if (process.stderr.isTTY === true) bar?.end();
  const notes = [...inputNotes, ...classification.notes];
  if (repeats !== undefined && repeats !== classification.repeats) {
    notes.push("--repeats has no effect: with a fixed split, nothing in this protocol is random.");
  }
  output.document({ task: "classify", files: paths, ...classification, notes });
  if (!output.json) {
    const repeated = classification.split.kind === "given" ? "random initialisations of the probe" : "random splits";
    printScores(output, {
      head: headOf(classification, output),
      rows: rowsOf(classification, output.ascii),
      spread: spreadNote(classification, repeated),
      notes,
    });
    for (const line of recommendation(classification)) output.print(line);
  } else for (const note of notes) output.note(`note: ${note}`);
  return 0;
}

function headOf(classification: Classification, { style }: Output): string[] {
  const { split, classes, multiLabel, largestClass, frequentLabels } = classification;
  const parts = [
    `${formatCount(split.train)} train`,
    ...(split.validation > 0 ? [`${formatCount(split.validation)} validate`] : []),
    `${formatCount(split.test)} test`,
  ];
  const labelCount = multiLabel ? plural(classes.length, "label") : plural(classes.length, "class", "classes");
  return [
    `${style.bold("classify")}  ${plural(classification.nodes, "labelled node")}, ${labelCount}${multiLabel ? ", several per node" : ""}; ${split.kind} split: ${parts.join(", ")}`,
    `          ${probeText(classification)}`,
    ...(largestClass === null
      ? []
      : [
          `          baseline, always "${largestClass.name}": macro-F1 ${largestClass.macroF1.toFixed(4)}, accuracy ${largestClass.accuracy.toFixed(4)}`,
        ]),
    ...(frequentLabels === null
      ? []
      : [
          `          baseline, for a node with k labels the k most frequent labels: macro-F1 ${frequentLabels.macroF1.toFixed(4)}, micro-F1 ${frequentLabels.microF1.toFixed(4)}`,
        ]),
  ];
}

function probeText({ protocol, multiLabel, strength }: Classification): string {
  if (protocol === "paper") {
    return `the paper's protocol: linear layer, ${multiLabel ? "sigmoids" : "softmax"}, Adam, 100 epochs, best on validation`;
  }
  const kind = multiLabel ? "one-vs-rest" : "multinomial";
  return `L2-regularised logistic regression, ${kind}, ${strengthText(strength ?? undefined)}`;
}

function rowsOf({ multiLabel, results, chosen, strength }: Classification, ascii: boolean): string[][] {
  const validated = strength === "validate";
  const header = ["vectors", ...(multiLabel ? ["decision rule"] : []), "macro-F1", "micro-F1", "accuracy"];
  const line = (row: ClassificationRow) => [
    row.rows,
    ...(multiLabel ? [row.decision] : []),
    ...[row.macroF1, row.microF1, row.accuracy].map((spread) => spreadText(spread, ascii)),
    ...(validated ? [chosenStrengths(row)] : []),
  ];
  const chosenLines = (chosen?.results ?? []).map((row) => [
    "by validation",
    ...(multiLabel ? [row.decision] : []),
    ...[row.macroF1, row.microF1, row.accuracy].map((spread) => spreadText(spread, ascii)),
    ...(validated ? [""] : []),
  ]);
  return [[...header, ...(validated ? ["C"] : [])], ...results.map(line), ...chosenLines];
}

/** The advice to use raw or standardised vectors, from their scores on validation nodes. */
function recommendation({ chosen, repeats, embeddings, split }: Classification): string[] {
  if (chosen === null)
    return [
      "There are too few training nodes to hold some out for validation, so neither raw nor standardised vectors are recommended.",
    ];
  const { rows, validation, splits } = chosen;
  const other = rows === "raw" ? "standardised" : "raw";
  const total = repeats * embeddings;
  const heldOut = split.validation > 0 ? "" : ", which are held out from the training nodes,";
  const votes = total === 1 ? "" : `; they are better in ${splits[rows]} of ${total} splits`;
  return [
    `Use ${rows} vectors: their macro-F1 on validation nodes${heldOut} is ${validation[rows].toFixed(4)} (${other}: ${validation[other].toFixed(4)})${votes}.`,
  ];
}

/** The chosen values of C, the most frequent first. */
function chosenStrengths({ strengths }: ClassificationRow): string {
  const counts = new Map<number, number>();
  for (const c of (strengths ?? []).flat()) counts.set(c, (counts.get(c) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([c, count]) => `${formatNumber(c)} (${count})`)
    .join(", ");
}
