/** `hmge compare`: several models, tasks and seeds in one table. */

import { type Command, type Arguments, switchOption, textOption } from "../command.js";
import { DEFAULT_MODEL, ENGINE_OPTIONS } from "../options/model-options.js";
import { SOURCE_OPTIONS, labelColumns, readSourceOptions } from "../options/source-options.js";
import { strengthOption, readStrength, strengthText } from "../options/strength-option.js";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { firstNames } from "../../core/first-names.js";
import type { NodeKinds } from "../../graph/node-kinds.js";
import { writeAllAtomically } from "../../io/atomic-write.js";
import { inWords } from "../../io/system-faults.js";
import { plural } from "../../report/format.js";
import { markdownTable, tableText } from "../../report/table.js";
import { displayWidth, table } from "../../report/terminal.js";
import { matchLabels, matchNotes } from "../../tasks/labels/labelled-nodes.js";
import { chooseEngine } from "../../train/create-engine.js";
import { resolveTraining } from "../../train/train.js";
import { kindsNote, pairsInWords } from "../evaluate/links-task.js";
import type { CaseData } from "../../experiments/graphs/graph-case.js";
import type { LinkProtocol } from "../../experiments/cells/link-cell.js";
import { expandModels, readVariants } from "../options/model-variants.js";
import type { ProbeProtocol } from "../../experiments/cells/probe-cell.js";
import { readCase } from "../../experiments/graphs/read-case.js";
import { hasSmallFeatures } from "../../experiments/graphs/untrained-vectors.js";
import { runCells } from "../run/run-cells.js";
import { recordHead } from "../folder/machine-facts.js";
import { checkOutputFolder, readRecord } from "../folder/output-folder.js";
import { readThreads } from "../options/engine-option.js";
import { readChoices, readList, readSeeds } from "../options/list-options.js";
import { readCount, readShare } from "../options/number-options.js";
import { heldNote, holdsLabels, likeLabels } from "../run/label-leakage.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import { wrap } from "../terminal/help.js";
import { type Output, tableLayout } from "../terminal/output.js";
import { forecast } from "./compare-forecast.js";
import { type CompareRow, compareRows, compareTable, TASK_NAMES, type TaskName, type TaskResult } from "./compare-table.js";
import { classifyTask, linksTask } from "./compare-tasks.js";

/** The default beside the paper's method. */
export const COMPARED: readonly string[] = [DEFAULT_MODEL, "hmge"];

export const compare: Command = {
  usage: "SOURCE… --out DIR [options]",
  options: [
    {
      name: "models",
      value: "NAME,…",
      doc: "models, each with a preset if one is meant, as in hmge:reference; all",
      default: COMPARED.join(","),
    },
    {
      name: "tasks",
      value: "NAME,…",
      doc: "classify, links",
      default: "links, and classify where there are labels",
    },
    { name: "seeds", value: "N,…", doc: "a training for each; also of the held-out edges", default: "1,2,3" },
    { name: "out", value: "DIR", doc: "folder for the table and its cells; a finished cell is not worked out again" },
    { name: "labels", value: "FILE", doc: "labels of nodes: node, label", default: "those of the dataset folder" },
    { name: "train", value: "SHARE", doc: "of the labels that train the probe", default: "the data's split, else 0.1" },
    { name: "repeats", value: "N", doc: "random splits of the labels", default: "10" },
    strengthOption("validate"),
    { name: "holdout", value: "SHARE", doc: "of the edges of every relation that are held out", default: "0.1" },
    { name: "strict", doc: "remove a held-out pair from every relation" },
    { name: "set", value: "MODEL.OPTION=VALUE", repeatable: true, doc: "an option of one of the models" },
    { name: "dim", value: "N", doc: "width of the vectors of every model", default: "the model's" },
    { name: "epochs", value: "N", doc: "most epochs of every model", default: "the model's" },
    ...SOURCE_OPTIONS,
    ...ENGINE_OPTIONS,
    { name: "force", doc: "run even if the memory seems too small" },
  ],
  examples: [
    "dataset --out comparison",
    "edges.csv --models all --tasks links --seeds 1 --out comparison",
    "edges.csv --labels labels.csv --models hmge --tasks classify --seeds 1,2,3,4,5 --set hmge.dim=32 --out comparison",
  ],
  run: runCompare,
};

const SEEDS = [1, 2, 3];
const REPEATS = 10;
const TRAIN = 0.1;
const HOLDOUT = 0.1;

async function runCompare(given: Arguments, output: Output): Promise<number> {
  const out = textOption(given, "out");
  if (out === undefined) throw new InputError("--out: not given; expected a folder for the table.");
  const names = await expandModels(readList(given, "models") ?? COMPARED);
  const all = Object.fromEntries(
    ["dim", "epochs"].flatMap((name) =>
      textOption(given, name) === undefined ? [] : [[name, textOption(given, name)!]],
    ),
  );
  const variants = await readVariants(names, { all, single: given.options.get("set") ?? [] });
  const seeds = readSeeds(given, "seeds") ?? SEEDS;
  const asked = readChoices(given, "tasks", TASK_NAMES);
  const train = readShare(given, "train");
  const repeats = readCount(given, "repeats", 1) ?? REPEATS;
  const strength = readStrength(given) ?? "validate";
  const links: LinkProtocol = {
    holdout: readShare(given, "holdout") ?? HOLDOUT,
    strict: switchOption(given, "strict"),
  };
  const source = readSourceOptions(given);
  const threads = readThreads(given, output);
  const engine = await chooseEngine(textOption(given, "engine"), threads);
  // other files beside the table do no harm; what is checked is that it can be written
  await checkOutputFolder(out, { overwrite: true, resume: false, dataset: true });

  const graph = await loadSource(source, output.quiet);
  for (const note of graphNotes(graph)) output.note(`note: ${note}`);
  const graphCase = await readCase(caseName(source.sources), graph, textOption(given, "labels"), labelColumns(given));
  await requireSameGraph(
    out,
    graphCase.key,
    graph.files.map((file) => resolve(file)),
  );
  const data = graphCase.load();
  const tasks = asked ?? TASK_NAMES.filter((task) => task !== "classify" || data.labels !== undefined);
  if (tasks.includes("classify") && data.labels === undefined) {
    throw new InputError("--tasks: classify needs labels, and the source has none. Give --labels FILE.");
  }
  if (tasks.includes("classify") && data.labels !== undefined) {
    for (const note of matchNotes(matchLabels(graph.ids, data.labels))) output.note(`note: ${note}`);
    const { label: column } = labelColumns(given);
    const seen = likeLabels(graph.features?.names ?? [], { names: data.labels.names, column });
    if (seen !== undefined && holdsLabels(graph, data.labels, seen)) output.note(`note: ${heldNote(seen)}`);
  }
  for (const { label, model, settings } of variants) {
    const { options } = resolveTraining(model, settings);
    for (const note of model.notes?.(graph, options) ?? []) output.note(`note: ${label}: ${note}`);
  }
  const { kinds } = graph;
  if (kinds !== undefined && tasks.includes("links")) output.note(`note: ${kindsNote(kinds)}`);
  const share = train ?? (data.split === undefined ? TRAIN : "given");
  const probe: ProbeProtocol = { shares: [share], repeats, strength };
  const expected = await forecast(graph, variants, {
    trainings: tasks.length * seeds.length,
    threads: threads ?? availableParallelism(),
    force: switchOption(given, "force"),
  });
  if (expected !== undefined) output.note(`note: ${expected}`);

  return runCells(out, engine, output, async (runner) => {
    const results: TaskResult[] = [];
    const request = { runner, graphCase, variants, seeds };
    runner.announce(tasks.length * variants.length * seeds.length + countBaselines(tasks, seeds.length, data));
    if (tasks.includes("classify")) results.push(...(await classifyTask(request, probe)));
    if (tasks.includes("links")) results.push(...(await linksTask(request, links)));
    const rows = compareRows(results);
    const shown = compareTable(rows, tasks);
    const learners = variants.filter(({ model }) => learnsFromLabels(model)).map(({ label }) => label);
    const protocol = protocolText(tasks, seeds.length, probe, links, kinds, learners);
    const record = {
      ...recordHead("compare", given, engine),
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
    };
    const files = [join(out, TABLE), join(out, "compare.md")];
    const markdown = [`# Comparison`, graphCase.summary, protocol, markdownTable(shown), `\`${record.command}\``];
    const left = await modelsLeftOut(
      out,
      variants.map(({ label }) => label),
    );
    await mkdir(out, { recursive: true }).catch((error: unknown) => {
      throw inWords(error, out);
    });
    await writeAllAtomically([
      { path: files[0], content: `${JSON.stringify(record, null, 2)}\n` },
      { path: files[1], content: `${markdown.join("\n\n")}\n` },
    ]);
    output.document({ ...record, out });
    if (left.length > 0) {
      output.note(
        `note: ${out}: the table that was there had ${firstNames(left, 5)} too; name all models in one command to see them together. Nothing is trained again.`,
      );
    }
    output.print(terminalText(rows, tasks, output));
    if (!output.quiet) {
      const reused = runner.reused > 0 ? ` (${plural(runner.reused, "cell")} taken from earlier)` : "";
      output.print(`\n${wrap(protocol, output.columns).join("\n")}\nwritten to ${files.join(", ")}${reused}`);
    }
  });
}

const TABLE = "compare.json";

/** Fails where the table that is there is of another graph. */
async function requireSameGraph(out: string, key: unknown, files: readonly string[]): Promise<void> {
  const { graph } = ((await readRecord(out, TABLE)) ?? {}) as { readonly graph?: Readonly<Record<string, unknown>> };
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  // files that were mended since are the same to those who name them again
  if (graph === undefined || same(graph["key"], key) || (files.length > 0 && same(graph["files"], files))) return;
  const named = Array.isArray(graph["files"]) ? ` (${firstNames(graph["files"].map(String), 2)})` : "";
  throw new InputError(
    `${out}: holds the comparison of another graph${named}, whose table would be replaced. Choose another --out.`,
  );
}

/** Models of the table that is there and of none that is to be written. */
async function modelsLeftOut(out: string, labels: readonly string[]): Promise<string[]> {
  const { models } = ((await readRecord(out, TABLE)) ?? {}) as { readonly models?: unknown };
  if (!Array.isArray(models)) return [];
  return models.flatMap((model) => {
    const label: unknown = model?.label;
    return typeof label === "string" && !labels.includes(label) ? [label] : [];
  });
}

/** One table, or where it is too wide one for each task, in parts if it must be. */
function terminalText(rows: readonly CompareRow[], tasks: readonly TaskName[], output: Output): string {
  const { ascii, columns, style } = output;
  const textOf = (shown: readonly TaskName[]) => tableText(compareTable(rows, shown));
  if (tasks.length === 1) return table(textOf(tasks), tableLayout(output));
  const whole = table(textOf(tasks), { ascii });
  if (displayWidth(whole.split("\n")[0]) <= columns) return whole;
  return tasks.map((task) => `${style.bold(task)}\n${table(textOf([task]), tableLayout(output))}`).join("\n\n");
}

/** For progress: the folder or the first file. */
function caseName([first = "query"]: readonly string[]): string {
  return basename(resolve(first));
}

function countBaselines(tasks: readonly TaskName[], numSeeds: number, data: CaseData): number {
  const probes = tasks.includes("classify") ? 1 + Number(hasSmallFeatures(data)) : 0;
  return probes + (tasks.includes("links") ? numSeeds : 0);
}

function protocolText(
  tasks: readonly TaskName[],
  numSeeds: number,
  { shares: [share], repeats, strength }: ProbeProtocol,
  { holdout, strict }: LinkProtocol,
  kinds: NodeKinds | undefined,
  learners: readonly string[],
): string {
  const deviation = numSeeds === 1 ? "one seed" : `mean ± deviation over ${numSeeds} seeds`;
  const sentences = [`Scores in %, ${deviation}.`];
  if (tasks.includes("classify")) {
    const split =
      share === "given" ? "on the given split" : `on ${100 * share} % of the labels, mean of ${repeats} splits`;
    sentences.push(`classify: logistic regression (${strengthText(strength)}) on standardised vectors, ${split}.`);
  }
  if (tasks.includes("links")) {
    const removed = strict ? "from all relations" : "from its own relation";
    const pairs = `uniform ${pairsInWords(kinds)}`;
    sentences.push(
      `links: ${100 * holdout} % of the edges of every relation held out, each removed ${removed}, against as many ${pairs}; score: dot product, mean over the relations.`,
    );
  }
  if (learners.length > 0) {
    const split = share === "given" ? "that split" : "one such split for each seed, the only one it is scored on";
    const spared = strength === "validate" ? ", and from none that C is chosen by" : "";
    const supervised = `is semi-supervised in classify: it learns from the training labels of ${split}${spared}`;
    const facts = { classify: supervised, links: "learns without labels for links" };
    sentences.push(`${learners.join(", ")} ${tasks.map((task) => facts[task]).join(", and ")}.`);
  }
  sentences.push("Time and epochs: mean of one training. Peak memory: of the whole process, largest seen.");
  return sentences.join(" ");
}
