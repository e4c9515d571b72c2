/** `hmge compare --regret`: the own model against all rivals on several graphs. */

import { basename, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { firstNames } from "../../core/text.js";
import { findDatasetFolder } from "../../io/graph/dataset-folder.js";
import { formatSeconds, plural } from "../../report/format.js";
import { markdownTable, tableText } from "../../report/table.js";
import { table } from "../../report/terminal.js";
import { CLASSIFICATION_OPTIONS } from "../../tasks/classification/node-classification.js";
import { recordHead } from "../folder/machine-facts.js";
import { checkOutputFolder } from "../folder/output-folder.js";
import { readEngine } from "../options/engine-option.js";
import { settingsText } from "../options/strength-option.js";
import { runCells } from "../run/run-cells.js";
import { wrap } from "../terminal/help.js";
import type { Output } from "../terminal/output.js";
import { droppedGraphs, requireRegretFolder, writeComparison } from "./compare-files.js";
import { type CompareArguments, linkProtocol } from "./compare-protocol.js";
import { type RegretGraph, type RegretSource, runGraph } from "./regret-graph.js";
import { type RegretMethods, readMethods } from "./regret-methods.js";
import { regretRows, sortByRegret, summarizeRegret } from "./regret-scores.js";
import { leftOutLines, regretTable, summaryTable } from "./regret-table.js";

/** Options that describe one graph; with --regret every dataset folder has its own. */
const ONE_GRAPH_OPTIONS = ["labels", "features", "nodes", "sql"] as const;

export async function runRegret(args: CompareArguments, out: string, output: Output): Promise<number> {
  const { values } = args;
  const misplaced = ONE_GRAPH_OPTIONS.find((name) => values[name] !== undefined);
  if (misplaced !== undefined) {
    throw new InputError(
      `--${misplaced}: found together with --regret; expected dataset folders, which hold their own labels, features and nodes. Leave it out.`,
    );
  }
  const sources = await readSources(args.words);
  const { own, methods } = await readMethods(args);
  const engine = await readEngine(values, output);
  await checkOutputFolder(out, { overwrite: true, resume: false, dataset: true });
  if (values.fill === undefined) await requireRegretFolder(out);

  return runCells(out, engine, output, async (runner) => {
    const request = { args, runner, methods, engine, output };
    const graphs: RegretGraph[] = [];
    for (const source of sources) graphs.push(await runGraph(source, request));
    const cells = { reused: runner.reused, computed: runner.computed };
    const leftOut = graphs.flatMap((graph) => graph.leftOut);
    const missing = leftOutLines(leftOut);
    if (values.fill !== undefined) {
      output.document({ ...recordHead("compare", args, engine), cells, leftOut, out });
      output.print([`${plural(cells.computed, "new result")} in ${out}`, ...missing].join("\n"));
      return;
    }
    const rows = sortByRegret(graphs.flatMap(({ name, results }) => regretRows(name, own, results)));
    if (rows.length === 0) {
      throw new InputError(`--regret: ${own} has no score on any graph; expected at least one. ${missing[0] ?? ""}`);
    }
    const summary = summarizeRegret(rows);
    const record = {
      ...recordHead("compare", args, engine),
      own,
      models: methods.map(({ variant: { label, model, settings, modelFile }, seeds, limitSeconds }) => {
        return { label, model: model.name, modelFile, settings, seeds, limitSeconds };
      }),
      graphs: graphs.map(({ name, case: facts, files }) => {
        return { name, ...facts, files: files.map((file) => resolve(file)) };
      }),
      protocol: protocolRecord(args),
      cells,
      summary,
      leftOut,
      rows,
    };
    const protocol = protocolText(args, { own, methods });
    const tables = [regretTable(rows, own), summaryTable(summary, own)];
    const dropped = await droppedGraphs(
      out,
      graphs.map(({ name }) => name),
    );
    const files = await writeComparison(out, record, [
      "# Regret",
      protocol,
      ...tables.map(markdownTable),
      ...(missing.length === 0 ? [] : [missing.map((line) => `- ${line}`).join("\n")]),
      `\`${record.command}\``,
    ]);
    output.document({ ...record, out });
    if (dropped.length > 0) {
      output.note(
        `note: ${out}: the replaced table also had ${firstNames(dropped, 5)}; name all graphs in one command to see them together. Finished trainings are reused.`,
      );
    }
    const layout = { ascii: output.ascii, width: output.columns, cut: true };
    const shown = [
      ...tables.map((one) => table(tableText(one), layout)),
      ...(missing.length === 0 ? [] : [missing.join("\n")]),
    ];
    output.print(shown.join("\n\n"));
    if (!output.quiet) {
      const reused = cells.reused > 0 ? ` (${plural(cells.reused, "cell")} reused from an earlier run)` : "";
      output.print(`\n${wrap(protocol, output.columns).join("\n")}\nwritten to ${files.join(", ")}${reused}`);
    }
  });
}

/** Checks that every source exists. Its name is that of its folder or file; two of the same name are shown as paths. */
async function readSources(paths: readonly string[]): Promise<RegretSource[]> {
  if (paths.length === 0) throw new InputError("source: missing; expected one or more dataset folders.");
  for (const path of paths) await findDatasetFolder([path]);
  const full = paths.map((path) => resolve(path));
  const repeated = full.findIndex((path, i) => full.indexOf(path) < i);
  if (repeated >= 0) throw new InputError(`${paths[repeated]}: given twice; expected each graph once.`);
  const names = full.map((path) => basename(path));
  return paths.map((path, i) => {
    return { path, name: names.filter((name) => name === names[i]).length > 1 ? path : names[i] };
  });
}

function protocolRecord({ values }: CompareArguments) {
  const { train, repeats, strength, scaling, prefix } = values;
  const share = train ?? `given split, or ${CLASSIFICATION_OPTIONS.train.default}`;
  return { classify: { share, repeats, strength, scaling, prefix }, links: linkProtocol(values) };
}

function protocolText({ values }: CompareArguments, { own, methods }: RegretMethods): string {
  const { train, repeats, holdout, strict, ownSeeds, limit } = values;
  const rivals = methods.filter(({ limitSeconds }) => limitSeconds !== undefined);
  const share = (labels: number) => `${100 * labels} % of the labels, mean of ${repeats} splits`;
  const split =
    typeof train === "number"
      ? share(train)
      : `the fixed split of the dataset folder or, without one, ${share(CLASSIFICATION_OPTIONS.train.default)}`;
  const removed = strict ? "from all relations" : "from its own relation";
  const seeds = rivals[0]?.seeds.length ?? 0;
  return [
    `Regret: score of the best rival (another model or a baseline) minus score of ${own}, in points; negative if ${own} is the best. Scores in %.`,
    `${own}: mean ± deviation over ${plural(ownSeeds.length, "seed")}; rivals: ${plural(seeds, "seed")}, at most ${formatSeconds(limit)} for one training.`,
    `macro-F1: logistic regression, ${settingsText(values)}, on ${split}; if nodes have several labels, each gets as many as it has.`,
    `AUC: ${100 * holdout} % of the edges of every relation held out, each removed ${removed}, compared with as many negative pairs, drawn uniformly; all pairs pooled, or mean over the relations. ${own} is scored by its decoder if it has one, every rival by the best of decoder, dot product and cosine.`,
  ].join(" ");
}
