/** `hmge compare`: several models, tasks and seeds in one table. */

import { basename, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { firstNames } from "../../core/text.js";
import type { LinkProtocol } from "../../experiments/cells/link-cell.js";
import type { ProbeProtocol } from "../../experiments/cells/probe-cell.js";
import { readCase } from "../../experiments/graphs/read-case.js";
import type { NodeKinds } from "../../graph/multiplex.js";
import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import { plural } from "../../report/format.js";
import { markdownTable, tableText } from "../../report/table.js";
import { displayWidth, table } from "../../report/terminal.js";
import { resolveTraining } from "../../train/train.js";
import { type Command, flagName } from "../command.js";
import { describePairs, kindsNote } from "../evaluate/links-task.js";
import { recordHead } from "../folder/machine-facts.js";
import { checkOutputFolder } from "../folder/output-folder.js";
import { readEngine } from "../options/engine-option.js";
import { expandModels, readVariants } from "../options/model-variants.js";
import { labelColumns, readSourceOptions } from "../options/source-options.js";
import { settingsText } from "../options/strength-option.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import { runCells } from "../run/run-cells.js";
import { wrap } from "../terminal/help.js";
import { type Output, tableLayout } from "../terminal/output.js";
import { baselineLines } from "./baseline-lines.js";
import { droppedModels, requireSameGraph, writeComparison } from "./compare-files.js";
import { forecast } from "./compare-forecast.js";
import { COMPARE_OPTIONS, DEFAULT_MODELS, DEFAULT_SEEDS, REGRET_OPTIONS } from "./compare-options.js";
import { type CompareArguments, labelNotes, linkProtocol, probeProtocol } from "./compare-protocol.js";
import {
  type CompareRow,
  compareRows,
  compareTable,
  TASK_NAMES,
  type TaskName,
  type TaskResult,
} from "./compare-table.js";
import { countBaselines, runClassification, runLinkPrediction } from "./compare-tasks.js";
import { runRegret } from "./regret.js";

export const compare: Command<typeof COMPARE_OPTIONS> = {
  usage: "SOURCE… --out DIR [options]",
  options: COMPARE_OPTIONS,
  examples: [
    "dataset --out comparison",
    "edges.csv --models all --tasks links --seeds 1 --out comparison",
    "edges.csv --labels labels.csv --models hmge --tasks classify --seeds 1,2,3,4,5 --set hmge.dim=32 --out comparison",
    "graph1 graph2 graph3 --regret --out regret",
  ],
  run: runCompare,
};

async function runCompare(args: CompareArguments, output: Output): Promise<number> {
  const { values, flags } = args;
  const { out, seeds = DEFAULT_SEEDS } = values;
  if (out === undefined) throw new InputError("--out: missing; expected a folder for the table.");
  if (values.regret) return runRegret(args, out, output);
  const misplaced = Object.keys(REGRET_OPTIONS)
    .map(flagName)
    .find((name) => flags.has(name));
  if (misplaced !== undefined) {
    throw new InputError(`--${misplaced}: found without --regret; expected both. Add --regret or leave it out.`);
  }
  const names = await expandModels(values.models ?? DEFAULT_MODELS);
  const all = Object.fromEntries(
    ["dim", "epochs"].flatMap((name) => (flags.get(name) ?? []).map((typed) => [name, typed])),
  );
  const variants = await readVariants(names, { all, single: values.set });
  const links = linkProtocol(values);
  const source = readSourceOptions(args);
  const engine = await readEngine(values, output);
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
    for (const note of labelNotes(graph, data.labels, values)) output.note(`note: ${note}`);
  }
  for (const { label, model, settings } of variants) {
    const { options } = resolveTraining(model, settings);
    for (const note of model.notes?.(graph, options) ?? []) output.note(`note: ${label}: ${note}`);
  }
  const { kinds } = graph;
  if (kinds !== undefined && tasks.includes("links")) output.note(`note: ${kindsNote(kinds)}`);
  const probe = probeProtocol(values, data);
  const expected = await forecast(graph, variants, {
    trainings: tasks.length * seeds.length,
    engine,
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
    const files = await writeComparison(out, record, markdown);
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
