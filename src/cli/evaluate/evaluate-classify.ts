/** `hmge evaluate classify`: a linear probe on vectors. */

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
    doc: "instead of shares: a table of node and split (train, val, test); given: the split of the dataset folder",
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
    throw new InputError("--strength: the probe of --protocol paper has none; leave it out.");
  }
  if (args.flags.has("split")) {
    const share = ["train", "validation", "stratify"].find((name) => args.flags.has(name));
    if (share !== undefined)
      throw new InputError(`--${share}: found together with --split; expected only one of them.`);
  }
  const { embeddings, labels, split, paths, notes: before } = await readEvaluationInput(args, "classify");
  let bar: ProgressBar | undefined;
  const found = classifyNodes(embeddings, labels, {
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
  // without a terminal the last line of progress would repeat the result
  if (process.stderr.isTTY === true) bar?.end();
  const notes = [...before, ...found.notes];
  if (repeats !== undefined && repeats !== found.repeats) {
    notes.push("--repeats has no effect: with a given split, nothing in this protocol is random.");
  }
  output.document({ task: "classify", files: paths, ...found, notes });
  if (!output.json) {
    const repeated = found.split.kind === "given" ? "starts of the probe" : "random splits";
    printScores(output, {
      head: headOf(found, output),
      rows: rowsOf(found, output.ascii),
      spread: spreadNote(found, repeated),
      notes,
    });
    for (const line of chosenText(found)) output.print(line);
  } else for (const note of notes) output.note(`note: ${note}`);
  return 0;
}

function headOf(found: Classification, { style }: Output): string[] {
  const { split, classes, multiLabel, largestClass, frequentLabels } = found;
  const parts = [
    `${formatCount(split.train)} train`,
    ...(split.validation > 0 ? [`${formatCount(split.validation)} validate`] : []),
    `${formatCount(split.test)} test`,
  ];
  const what = multiLabel ? plural(classes.length, "label") : plural(classes.length, "class", "classes");
  return [
    `${style.bold("classify")}  ${plural(found.nodes, "labelled node")}, ${what}${multiLabel ? ", several a node" : ""}; ${split.kind} split: ${parts.join(", ")}`,
    `          ${probeText(found)}`,
    ...(largestClass === null
      ? []
      : [
          `          always "${largestClass.name}": macro-F1 ${largestClass.macroF1.toFixed(4)}, accuracy ${largestClass.accuracy.toFixed(4)}`,
        ]),
    ...(frequentLabels === null
      ? []
      : [
          `          the most frequent labels, as many as each node has: macro-F1 ${frequentLabels.macroF1.toFixed(4)}, micro-F1 ${frequentLabels.microF1.toFixed(4)}`,
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
  const header = ["vectors", ...(multiLabel ? ["labels by"] : []), "macro-F1", "micro-F1", "accuracy"];
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

/** The kind of vectors with the better score on validation nodes. */
function chosenText({ chosen, repeats, embeddings }: Classification): string[] {
  if (chosen === null)
    return ["There are too few training nodes to validate on some of them, so neither kind of vectors is preferred."];
  const { rows, validation, splits } = chosen;
  const other = rows === "raw" ? "standardised" : "raw";
  const total = repeats * embeddings;
  const often = total === 1 ? "" : `; ${splits[rows]} of ${total} splits prefer it`;
  return [
    `Use ${rows} vectors: on validation nodes, which are taken from the training nodes, their macro-F1 is ${validation[rows].toFixed(4)} (${other}: ${validation[other].toFixed(4)})${often}.`,
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
