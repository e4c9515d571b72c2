/** `hmge evaluate classify`: predicts labels by a linear probe on vectors. */

import { InputError } from "../../core/errors.js";
import { flag } from "../../core/options.js";
import { formatCount, formatNumber, plural } from "../../report/format.js";
import {
  CLASSIFICATION_OPTIONS,
  type Classification,
  type ClassificationOptions,
  type ClassificationRow,
  classifyNodes,
  DEFAULT_STRENGTH,
} from "../../tasks/classification/node-classification.js";
import type { ValidatedRow } from "../../tasks/classification/validated-probe.js";
import type { Arguments, Command } from "../command.js";
import { GRAPH_OPTIONS } from "../folder/run-graph.js";
import { text } from "../options/flag-kinds.js";
import { strengthOption, strengthText } from "../options/strength-option.js";
import type { Output } from "../terminal/output.js";
import { type ProgressBar, showBar } from "../terminal/progress.js";
import { type BaselineScores, beatenText, scoreBaselines } from "./evaluate-classify-baselines.js";
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
  scaling: CLASSIFICATION_OPTIONS.scaling,
  prefix: CLASSIFICATION_OPTIONS.prefix,
  protocol: CLASSIFICATION_OPTIONS.protocol,
  ...GRAPH_OPTIONS,
  noBaselines: flag(false, { doc: "do not score the baselines" }),
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
    "vectors --labels labels.csv --prefix validate --graph edges.csv",
    "vectors --labels dataset --split given --protocol paper",
  ],
  run: runClassify,
};

async function runClassify(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const { train, validation, stratify, protocol, strength, scaling, prefix, repeats, seed } = args.values;
  const unused = ["strength", "scaling", "prefix"].find((name) => args.flags.has(name));
  if (unused !== undefined && protocol === "paper") {
    throw new InputError(`--${unused}: does not apply to --protocol paper. Remove one of the two options.`);
  }
  if (args.flags.has("split")) {
    const conflict = ["train", "validation", "stratify"].find((name) => args.flags.has(name));
    if (conflict !== undefined)
      throw new InputError(`--${conflict}: cannot be combined with --split. Remove one of the two options.`);
  }
  const { embeddings, labels, split, models, paths, notes: inputNotes } = await readEvaluationInput(args, "classify");
  let bar: ProgressBar | undefined;
  const options: ClassificationOptions = {
    split: split === undefined ? { train, validation, stratify } : split,
    protocol,
    strength,
    ...(protocol === "paper" ? {} : { scaling, prefix }),
    repeats,
    seed,
  };
  const classification = classifyNodes(embeddings, labels, {
    ...options,
    onProgress(done, total) {
      bar ??= showBar(total, output.quiet);
      bar.update(done, () => [`probe ${done}/${total}`]);
    },
  });
  const { baselines, notes: baselineNotes } =
    protocol === "paper" || args.values.noBaselines
      ? { baselines: [], notes: [] }
      : await scoreBaselines(embeddings[0], labels, options, {
          vectors: args.words[0],
          graph: args.values.graph,
          labelsPath: args.values.labels,
          quiet: output.quiet,
          onBaseline: (name) => bar?.update(Number.NaN, () => [`baseline ${name}`]),
        });
  // If stderr is not a terminal, the final line of the progress bar would only repeat the result.
  if (process.stderr.isTTY === true) bar?.end();
  const notes = [...inputNotes, ...classification.notes, ...baselineNotes];
  const beaten = beatenText(classification, baselines, models);
  if (repeats !== undefined && repeats !== classification.repeats) {
    notes.push("--repeats has no effect: with a fixed split, nothing in this protocol is random.");
  }
  output.document({ task: "classify", files: paths, ...classification, baselines, beaten: beaten ?? null, notes });
  if (!output.json) {
    const repeated = classification.split.kind === "given" ? "random initialisations of the probe" : "random splits";
    printScores(output, {
      head: [...headOf(classification, output), ...(baselines.length > 0 ? [] : frequentLines(classification))],
      rows: rowsOf(classification, baselines, output.ascii),
      spread: spreadNote(classification, repeated),
      notes,
    });
    for (const line of choiceLines(classification)) output.print(line);
    if (beaten !== undefined) output.print(beaten);
  } else for (const note of notes) output.note(`note: ${note}`);
  return 0;
}

function headOf(classification: Classification, { style }: Output): string[] {
  const { split, classes, multiLabel } = classification;
  const parts = [
    `${formatCount(split.train)} train`,
    ...(split.validation > 0 ? [`${formatCount(split.validation)} validate`] : []),
    `${formatCount(split.test)} test`,
  ];
  const labelCount = multiLabel ? plural(classes.length, "label") : plural(classes.length, "class", "classes");
  return [
    `${style.bold("classify")}  ${plural(classification.nodes, "labelled node")}, ${labelCount}${multiLabel ? ", several per node" : ""}; ${split.kind} split: ${parts.join(", ")}`,
    `          ${probeText(classification)}`,
  ];
}

/** The score of always predicting the most frequent labels; the row "majority class" has it if the graph is known. */
function frequentLines({ largestClass, frequentLabels }: Classification): string[] {
  return [
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

function probeText({ protocol, multiLabel, strength, byValidation }: Classification): string {
  if (protocol === "paper") {
    return `the paper's protocol: linear layer, ${multiLabel ? "sigmoids" : "softmax"}, Adam, 100 epochs, best on validation`;
  }
  const kind = multiLabel ? "one-vs-rest" : "multinomial";
  const chosen = byValidation === undefined || strength === "validate" ? "" : " unless chosen by validation";
  return `L2-regularised logistic regression, ${kind}, ${strengthText(strength ?? undefined)}${chosen}`;
}

function rowsOf(
  { multiLabel, results, byValidation, strength }: Classification,
  baselines: readonly BaselineScores[],
  ascii: boolean,
): string[][] {
  const validated = strength === "validate";
  const header = ["vectors", ...(multiLabel ? ["decision rule"] : []), "macro-F1", "micro-F1", "accuracy"];
  const line = (row: ClassificationRow) => [
    row.rows,
    ...(multiLabel ? [row.decision] : []),
    ...[row.macroF1, row.microF1, row.accuracy].map((spread) => spreadText(spread, ascii)),
    ...(validated ? [chosenStrengths(row)] : []),
  ];
  const validatedLine = (name: string, row: ValidatedRow) => [
    name,
    ...(multiLabel ? [row.decision] : []),
    ...[row.macroF1, row.microF1, row.accuracy].map((spread) => spreadText(spread, ascii)),
    ...(validated ? [""] : []),
  ];
  return [
    [...header, ...(validated ? ["C"] : [])],
    ...results.map(line),
    ...(byValidation?.results ?? []).map((row) => validatedLine("by validation", row)),
    ...baselines.flatMap(({ name, results: rows }) => rows.map((row) => validatedLine(`baseline: ${name}`, row))),
  ];
}

/** Maximum number of settings that the line about the choices names. */
const MAX_NAMED = 3;

/** The settings that validation chose, the most frequent first. */
function choiceLines({ byValidation, repeats, embeddings }: Classification): string[] {
  return (byValidation?.results ?? []).map(({ decision, choices }) => {
    const total = repeats * embeddings;
    const counts = new Map<string, number>();
    for (const { scaling, columns, strength, validation } of choices.flat()) {
      const key = `${scaling}, ${plural(columns, "column")}, C ${formatNumber(strength)}${validation === null ? " (too few training nodes for validation)" : ""}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const sorted = [...counts].sort((a, b) => b[1] - a[1]);
    const named = sorted
      .slice(0, MAX_NAMED)
      .map(([key, count]) => (total === 1 ? key : `${key} (${count} of ${total} splits)`));
    const rule = decision === "largest" ? "" : ` for ${decision}`;
    return `Chosen by validation${rule}: ${named.join("; ")}${sorted.length > MAX_NAMED ? "; …" : "."}`;
  });
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
