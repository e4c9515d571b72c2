/** `hmge compare`: several models, tasks and seeds in one table. */

import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { adapt, flag, int, optional } from "../../core/options.js";
import { firstNames } from "../../core/text.js";
import type { LinkProtocol } from "../../experiments/cells/link-cell.js";
import type { ProbeProtocol } from "../../experiments/cells/probe-cell.js";
import { vectorBaselines } from "../../experiments/graphs/baseline-vectors.js";
import { readCase } from "../../experiments/graphs/read-case.js";
import type { Multiplex, NodeKinds } from "../../graph/multiplex.js";
import { SHARE_OPTION } from "../../graph/split.js";
import { writeAllAtomically } from "../../io/atomic-write.js";
import { explainWriteError } from "../../io/system-faults.js";
import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import { plural } from "../../report/format.js";
import { markdownTable, tableText } from "../../report/table.js";
import { displayWidth, table } from "../../report/terminal.js";
import { CLASSIFICATION_OPTIONS, REPEATS } from "../../tasks/classification/node-classification.js";
import { matchLabels, matchNotes } from "../../tasks/labels/labelled-nodes.js";
import { chooseEngine } from "../../train/create-engine.js";
import { resolveTraining } from "../../train/train.js";
import type { Arguments, Command } from "../command.js";
import { describePairs, kindsNote } from "../evaluate/links-task.js";
import { recordHead } from "../folder/machine-facts.js";
import { checkOutputFolder, readRecord } from "../folder/output-folder.js";
import { ENGINE_OPTIONS, readThreads } from "../options/engine-option.js";
import { choiceList, seedList, text, texts, wordList } from "../options/flag-kinds.js";
import { DEFAULT_MODEL, MODEL_OPTIONS, TRAINING_OPTIONS } from "../options/model-options.js";
import { expandModels, readVariants } from "../options/model-variants.js";
import { labelColumns, readSourceOptions, SOURCE_OPTIONS } from "../options/source-options.js";
import { settingsText, strengthOption } from "../options/strength-option.js";
import { findLabelFeature, holdsLabels, leakageNote } from "../run/label-leakage.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import { runCells } from "../run/run-cells.js";
import { wrap } from "../terminal/help.js";
import { type Output, tableLayout } from "../terminal/output.js";
import { baselineLines } from "./baseline-lines.js";
import { forecast } from "./compare-forecast.js";
import {
  type CompareRow,
  compareRows,
  compareTable,
  TASK_NAMES,
  type TaskName,
  type TaskResult,
} from "./compare-table.js";
import { runClassification, runLinkPrediction } from "./compare-tasks.js";

const OPTIONS = {
  models: wordList([DEFAULT_MODEL, "hmge"], {
    value: "NAME,…",
    doc: "models, optionally with a preset, such as hmge:reference; all: all models",
  }),
  tasks: choiceList(undefined, TASK_NAMES, {
    value: "NAME,…",
    doc: TASK_NAMES.join(", "),
    defaultText: "links, and classify if there are labels",
  }),
  seeds: seedList([1, 2, 3], {
    value: "N,…",
    doc: "random seeds; each seed means one training and one draw of held-out edges",
  }),
  out: text(undefined, {
    value: "DIR",
    doc: "folder for the table and for the result of each training; finished results are not computed again",
  }),
  labels: text(undefined, {
    value: "FILE",
    doc: "table of node and label",
    defaultText: "the labels of the dataset folder",
  }),
  train: optional(
    CLASSIFICATION_OPTIONS.train,
    `the split of the dataset folder, or ${CLASSIFICATION_OPTIONS.train.default}`,
  ),
  repeats: int(REPEATS.logistic, { min: 1, doc: "random splits of the labels" }),
  strength: strengthOption("validate"),
  scaling: CLASSIFICATION_OPTIONS.scaling,
  prefix: CLASSIFICATION_OPTIONS.prefix,
  holdout: SHARE_OPTION,
  strict: flag(false, { doc: "remove a held-out pair from every relation" }),
  set: texts({ value: "MODEL.OPTION=VALUE", doc: "value of an option of one model" }),
  dim: adapt(MODEL_OPTIONS.dim, { doc: "width of the vectors of every model" }),
  epochs: adapt(TRAINING_OPTIONS.epochs, { doc: "maximum epochs of every model" }),
  ...SOURCE_OPTIONS,
  ...ENGINE_OPTIONS,
  force: flag(false, { doc: "run even if the memory seems too small" }),
};

export const compare: Command<typeof OPTIONS> = {
  usage: "SOURCE… --out DIR [options]",
  options: OPTIONS,
  examples: [
    "dataset --out comparison",
    "edges.csv --models all --tasks links --seeds 1 --out comparison",
    "edges.csv --labels labels.csv --models hmge --tasks classify --seeds 1,2,3,4,5 --set hmge.dim=32 --out comparison",
  ],
  run: runCompare,
};

async function runCompare(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const { values, flags } = args;
  const { out, seeds, repeats, strength, scaling, prefix } = values;
  if (out === undefined) throw new InputError("--out: missing; expected a folder for the table.");
  const names = await expandModels(values.models);
  const all = Object.fromEntries(
    ["dim", "epochs"].flatMap((name) => (flags.get(name) ?? []).map((typed) => [name, typed])),
  );
  const variants = await readVariants(names, { all, single: values.set });
  const links: LinkProtocol = { holdout: values.holdout, strict: values.strict };
  const source = readSourceOptions(args);
  const threads = readThreads(values, output);
  const engine = await chooseEngine(values.engine, threads);
  // only checks that the table can be written; other files in the folder are allowed
  await checkOutputFolder(out, { overwrite: true, resume: false, dataset: true });

  const graph = await loadSource(source, output.quiet);
  for (const note of graphNotes(graph)) output.note(`note: ${note}`);
  const graphCase = await readCase(caseName(source.sources), graph, values.labels, labelColumns(values));
  await requireSameGraph(
    out,
    graphCase.key,
    graph.files.map((file) => resolve(file)),
  );
  const data = graphCase.load();
  const tasks = values.tasks ?? TASK_NAMES.filter((task) => task !== "classify" || data.labels !== undefined);
  if (tasks.includes("classify") && data.labels === undefined) {
    throw new InputError("--tasks: classify needs labels, and the source has none. Give --labels FILE.");
  }
  if (tasks.includes("classify") && data.labels !== undefined) {
    for (const note of matchNotes(matchLabels(graph.ids, data.labels))) output.note(`note: ${note}`);
    const { label: column } = labelColumns(values);
    const leak = findLabelFeature(graph.features?.names ?? [], { names: data.labels.names, column });
    if (leak !== undefined && holdsLabels(graph, data.labels, leak)) output.note(`note: ${leakageNote(leak)}`);
  }
  for (const { label, model, settings } of variants) {
    const { options } = resolveTraining(model, settings);
    for (const note of model.notes?.(graph, options) ?? []) output.note(`note: ${label}: ${note}`);
  }
  const { kinds } = graph;
  if (kinds !== undefined && tasks.includes("links")) output.note(`note: ${kindsNote(kinds)}`);
  const share = values.train ?? (data.split === undefined ? CLASSIFICATION_OPTIONS.train.default : "given");
  const probe: ProbeProtocol = { shares: [share], repeats, strength, scaling, prefix };
  const expected = await forecast(graph, variants, {
    trainings: tasks.length * seeds.length,
    threads: threads ?? availableParallelism(),
    force: values.force,
  });
  if (expected !== undefined) output.note(`note: ${expected}`);

  return runCells(out, engine, output, async (runner) => {
    const results: TaskResult[] = [];
    const request = { runner, graphCase, variants, seeds };
    runner.announce(tasks.length * variants.length * seeds.length + countBaselines(tasks, seeds.length, graph));
    if (tasks.includes("classify")) results.push(...(await runClassification(request, probe)));
    if (tasks.includes("links")) results.push(...(await runLinkPrediction(request, links)));
    const rows = compareRows(results);
    const shown = compareTable(rows, tasks);
    const baselineFindings = baselineLines(results, tasks);
    const learners = variants.filter(({ model }) => learnsFromLabels(model)).map(({ label }) => label);
    const protocol = protocolText(tasks, seeds.length, probe, links, kinds, learners);
    const record = {
      ...recordHead("compare", args, engine),
      graph: { key: graphCase.key, summary: graphCase.summary, files: graph.files.map((file) => resolve(file)) },
      models: variants.map(({ label, model, settings, modelFile }) => {
        return { label, model: model.name, modelFile, settings };
      }),
      seeds,
      tasks,
      protocol: {
        ...(tasks.includes("classify") ? { classify: probe } : {}),
        ...(tasks.includes("links") ? { links: { ...links, byKind: kinds !== undefined } } : {}),
      },
      cells: { reused: runner.reused, computed: runner.computed },
      rows,
      baselineFindings,
    };
    const files = [join(out, TABLE), join(out, "compare.md")];
    const markdown = [
      `# Comparison`,
      graphCase.summary,
      protocol,
      markdownTable(shown),
      ...baselineFindings,
      `\`${record.command}\``,
    ];
    const dropped = await droppedModels(
      out,
      variants.map(({ label }) => label),
    );
    await mkdir(out, { recursive: true }).catch((error: unknown) => {
      throw explainWriteError(error, out);
    });
    await writeAllAtomically([
      { path: files[0], content: `${JSON.stringify(record, null, 2)}\n` },
      { path: files[1], content: `${markdown.join("\n\n")}\n` },
    ]);
    output.document({ ...record, out });
    if (dropped.length > 0) {
      output.note(
        `note: ${out}: the replaced table also had ${firstNames(dropped, 5)}; name all models in one command to see them together. Finished trainings are reused.`,
      );
    }
    output.print(terminalText(rows, tasks, output));
    for (const line of baselineFindings) output.print(line);
    if (!output.quiet) {
      const reused = runner.reused > 0 ? ` (${plural(runner.reused, "cell")} reused from an earlier run)` : "";
      output.print(`\n${wrap(protocol, output.columns).join("\n")}\nwritten to ${files.join(", ")}${reused}`);
    }
  });
}

const TABLE = "compare.json";

/** Throws if the folder holds the comparison of another graph. */
async function requireSameGraph(out: string, key: unknown, files: readonly string[]): Promise<void> {
  const { graph } = ((await readRecord(out, TABLE)) ?? {}) as { readonly graph?: Readonly<Record<string, unknown>> };
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  // the user may have corrected the same files since
  if (graph === undefined || same(graph["key"], key) || (files.length > 0 && same(graph["files"], files))) return;
  const fileNames = Array.isArray(graph["files"]) ? ` (${firstNames(graph["files"].map(String), 2)})` : "";
  throw new InputError(
    `${out}: holds the comparison of another graph${fileNames}, whose table would be replaced. Choose another --out.`,
  );
}

/** Models of the existing table that the new table will not have. */
async function droppedModels(out: string, labels: readonly string[]): Promise<string[]> {
  const { models } = ((await readRecord(out, TABLE)) ?? {}) as { readonly models?: unknown };
  if (!Array.isArray(models)) return [];
  return models.flatMap((model) => {
    const label: unknown = model?.label;
    return typeof label === "string" && !labels.includes(label) ? [label] : [];
  });
}

/** One table, or one for each task if the terminal is too narrow. */
function terminalText(rows: readonly CompareRow[], tasks: readonly TaskName[], output: Output): string {
  const { ascii, columns, style } = output;
  const textOf = (shown: readonly TaskName[]) => tableText(compareTable(rows, shown));
  if (tasks.length === 1) return table(textOf(tasks), tableLayout(output));
  const whole = table(textOf(tasks), { ascii });
  if (displayWidth(whole.split("\n")[0]) <= columns) return whole;
  return tasks.map((task) => `${style.bold(task)}\n${table(textOf([task]), tableLayout(output))}`).join("\n\n");
}

/** Name of the graph for progress: the folder or the first file. */
function caseName([first = "query"]: readonly string[]): string {
  return basename(resolve(first));
}

function countBaselines(tasks: readonly TaskName[], numSeeds: number, graph: Multiplex): number {
  const probes = tasks.includes("classify") ? vectorBaselines(graph).length : 0;
  return probes + (tasks.includes("links") ? numSeeds : 0);
}

function protocolText(
  tasks: readonly TaskName[],
  numSeeds: number,
  { shares: [share], repeats, strength, scaling, prefix }: ProbeProtocol,
  { holdout, strict }: LinkProtocol,
  kinds: NodeKinds | undefined,
  learners: readonly string[],
): string {
  const deviation = numSeeds === 1 ? "one seed" : `mean ± deviation over ${numSeeds} seeds`;
  const sentences = [`Scores in %, ${deviation}.`];
  if (tasks.includes("classify")) {
    const split =
      share === "given" ? "on the fixed split" : `on ${100 * share} % of the labels, mean of ${repeats} splits`;
    sentences.push(`classify: logistic regression, ${settingsText({ scaling, prefix, strength })}, ${split}.`);
  }
  if (tasks.includes("links")) {
    const removed = strict ? "from all relations" : "from its own relation";
    const pairs = `negative ${describePairs(kinds)}, drawn uniformly`;
    sentences.push(
      `links: ${100 * holdout} % of the edges of every relation held out, each removed ${removed}, compared with as many ${pairs}; score: dot product, mean over the relations.`,
    );
  }
  if (learners.length > 0) {
    const split = share === "given" ? "that split" : "one such split for each seed, the only one it is scored on";
    const spared = strength === "validate" ? ", and never from nodes that choose C" : "";
    const supervised = `is semi-supervised in classify: it learns from the training labels of ${split}${spared}`;
    const facts = { classify: supervised, links: "learns without labels for links" };
    sentences.push(`${learners.join(", ")} ${tasks.map((task) => facts[task]).join(", and ")}.`);
  }
  sentences.push("Time and epochs: mean of one training. Peak memory: maximum of the whole process.");
  return sentences.join(" ");
}
