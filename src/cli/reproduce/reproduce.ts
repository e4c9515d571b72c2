/** `hmge reproduce`: the experiments of the HMGE paper, compared with the published numbers. */

import { mkdir } from "node:fs/promises";
import { InputError, InternalError, suggest } from "../../core/errors.js";
import { choice, flag, optional } from "../../core/options.js";
import type { ModelVariant } from "../../experiments/cells/train-cell.js";
import type { Experiment, ExperimentContext } from "../../experiments/paper/experiment.js";
import { experiments } from "../../experiments/paper/experiments.js";
import { SCALES, type Scale } from "../../experiments/paper/scale.js";
import { type Finished, writePage, writeResult } from "../../experiments/paper/write-result.js";
import { explainWriteError } from "../../io/system-faults.js";
import { largestOf } from "../../numeric/extremes.js";
import { formatSeconds, plural } from "../../report/format.js";
import { tableText } from "../../report/table.js";
import { table } from "../../report/terminal.js";
import type { Arguments, Command } from "../command.js";
import { recordHead } from "../folder/machine-facts.js";
import { checkOutputFolder } from "../folder/output-folder.js";
import { ENGINE_OPTIONS, readEngine } from "../options/engine-option.js";
import { seedList, text, wordList } from "../options/flag-kinds.js";
import { TRAINING_OPTIONS } from "../options/model-options.js";
import { expandModels, readVariants } from "../options/model-variants.js";
import { runCells } from "../run/run-cells.js";
import { wrap } from "../terminal/help.js";
import { type Output, tableLayout } from "../terminal/output.js";
import { readData } from "./read-data.js";

const ALL = "all";

const OPTIONS = {
  out: text(undefined, {
    value: "DIR",
    doc: "folder for NAME.json, NAME.md and NAME.svg; results stored there are not computed again",
  }),
  quick: flag(false, { doc: "smaller graphs and fewer seeds: minutes instead of hours" }),
  data: text(undefined, {
    value: "DIR",
    doc: "a dataset folder, or a folder of dataset folders",
    defaultText: "none: only generated graphs and the demo town",
  }),
  models: wordList(undefined, {
    value: "NAME,…",
    doc: "models in synthetic, classification and links, such as hmge,dmgi, or all",
    defaultText: "the models of the scale",
  }),
  seeds: seedList(undefined, {
    value: "N,…",
    doc: "random seeds for every graph and model",
    defaultText: "the seeds of the scale",
  }),
  epochs: optional(TRAINING_OPTIONS.epochs, "the model's, or the scale's"),
  scale: choice(
    "full",
    SCALES.map(({ name }) => name),
    { doc: "size of the experiments; tiny only checks that everything runs" },
  ),
  ...ENGINE_OPTIONS,
};

type ReproduceArguments = Arguments<typeof OPTIONS>;

export const reproduce: Command<typeof OPTIONS> = {
  usage: "NAME --out DIR [options]",
  options: OPTIONS,
  examples: ["synthetic --quick --out reproduced", "all --data datasets --out reproduced"],
  async details() {
    const width = largestOf(experiments.map(({ name }) => name.length));
    return [
      "NAME:",
      ...experiments.map(({ name, doc }) => `  ${name.padEnd(width)}  ${doc}`),
      `  ${ALL.padEnd(width)}  all experiments, and index.html, one self-contained page`,
    ].join("\n");
  },
  run: runReproduce,
};

async function runReproduce(args: ReproduceArguments, output: Output): Promise<number> {
  const chosen = readNames(args.words);
  const { values } = args;
  const { out } = values;
  if (out === undefined) throw new InputError("--out: missing; expected a folder for tables and figures.");
  const scale = await readScale(args);
  const engine = await readEngine(values, output);
  await checkOutputFolder(out, { overwrite: true, resume: false });
  const { cases, note } = await readData(values.data, scale);
  await mkdir(out, { recursive: true }).catch((error: unknown) => {
    throw explainWriteError(error, out);
  });
  // some experiments always use hmge
  const labels = ["hmge", ...scale.curves, ...scale.models];
  const variants = await readVariants([...new Set(labels)], { all: scale.settings, single: [] });
  const facts = { head: recordHead("reproduce", args, engine), scale };
  return runCells(out, engine, output, async (runner) => {
    const context: ExperimentContext = {
      runner,
      scale,
      variant: (label, settings = {}) => chooseVariant(variants, label, settings),
      data: cases,
      dataNote: note,
    };
    const finished: Finished[] = [];
    const files: string[] = [];
    for (const experiment of chosen) {
      if (chosen.length > 1) output.note(`${experiment.title} …`);
      const begin = performance.now();
      const result = await experiment.run(context);
      const done = { experiment, result, seconds: (performance.now() - begin) / 1000 };
      finished.push(done);
      files.push(...(await writeResult(out, done, facts)));
      if (!output.quiet) output.print(resultText(done, output));
    }
    if (args.words[0] === ALL) files.push(await writePage(out, finished, facts));
    output.document({
      ...facts.head,
      scale: scale.name,
      out,
      files,
      cells: { reused: runner.reused, computed: runner.computed },
      experiments: finished.map(({ experiment: { name }, seconds, result }) => {
        return { name, seconds, differences: result.differences, numbers: result.numbers };
      }),
    });
    if (!output.quiet) {
      const reused = runner.reused > 0 ? `; ${plural(runner.reused, "cell")} reused from an earlier run` : "";
      output.print(`${plural(files.length, "file")} in ${out}${reused}\n  ${files.join("\n  ")}`);
    }
  });
}

function readNames(words: readonly string[]): readonly Experiment[] {
  const names = [...experiments.map(({ name }) => name), ALL];
  const [name, ...rest] = words;
  if (name === undefined) throw new InputError(`reproduce: no experiment named; expected one of ${names.join(", ")}.`);
  if (rest.length > 0) throw new InputError(`reproduce: found "${rest[0]}" after ${name}; expected options only.`);
  if (name === ALL) return experiments;
  const found = experiments.find((experiment) => experiment.name === name);
  if (found === undefined) throw new InputError(`reproduce: unknown experiment "${name}"${suggest(name, names)}`);
  return [found];
}

async function readScale({ values, flags }: ReproduceArguments): Promise<Scale> {
  const { quick, seeds, epochs } = values;
  if (quick && flags.has("scale") && values.scale !== "quick") {
    throw new InputError(`--scale: found ${values.scale} and --quick; expected one of them.`);
  }
  const name = quick ? "quick" : values.scale;
  const scale = SCALES.find((candidate) => candidate.name === name);
  if (scale === undefined) throw new InternalError(`reproduce: there is no scale ${name}`);
  const models = values.models === undefined ? undefined : await expandModels(values.models);
  const docs = [
    scale.doc,
    ...(seeds === undefined ? [] : [`seeds ${seeds.join(", ")}`]),
    ...(epochs === undefined ? [] : [`at most ${plural(epochs, "epoch")}`]),
  ];
  return {
    ...scale,
    doc: docs.join("; "),
    ...(models === undefined ? {} : { models, curves: models }),
    ...(seeds === undefined ? {} : { seeds, dataSeeds: seeds, otherGraphs: seeds.length }),
    ...(epochs === undefined ? {} : { settings: { ...scale.settings, epochs: String(epochs) } }),
  };
}

function chooseVariant(
  variants: readonly ModelVariant[],
  label: string,
  settings: Readonly<Record<string, string>>,
): ModelVariant {
  const found = variants.find((variant) => variant.label === label);
  if (found === undefined) throw new InternalError(`reproduce: ${label} was not prepared`);
  return { ...found, settings: { ...found.settings, ...settings } };
}

function resultText({ experiment, result, seconds }: Finished, { ascii, style, columns }: Output): string {
  const [{ caption, table: first }] = result.tables;
  const bullet = ascii ? "- " : "• ";
  const lines = result.differences.flatMap((text) =>
    wrap(text, columns - 2).map((line, i) => `${i === 0 ? bullet : "  "}${line}`),
  );
  return [
    "",
    `${style.bold(experiment.title)}  ${formatSeconds(seconds)}`,
    caption,
    "",
    table(tableText(first), tableLayout({ ascii, columns })),
    "",
    ...lines,
  ].join("\n");
}
