/** Writes the results of experiments: a record, a Markdown table and a figure each, and one page for all. */

import { join } from "node:path";
import type { RecordHead } from "../../core/record.js";
import { writeAllAtomically, writeAtomically } from "../../io/atomic-write.js";
import { type Block, htmlPage, type Section } from "../../report/page.js";
import { escapeMarkdown, markdownTable } from "../../report/table.js";
import type { Experiment, ExperimentResult } from "./experiment.js";
import type { Scale } from "./scale.js";

export interface Finished {
  readonly experiment: Experiment;
  readonly result: ExperimentResult;
  /** Time of this process; stored cells took none. */
  readonly seconds: number;
}

export interface RunFacts {
  readonly head: RecordHead;
  readonly scale: Scale;
}

/** Writes NAME.json, NAME.md and NAME.svg; returns their paths. */
export async function writeResult(
  out: string,
  { experiment, result, seconds }: Finished,
  facts: RunFacts,
): Promise<string[]> {
  const { name, title } = experiment;
  const { method, tables, figure, differences, warnings = [], numbers } = result;
  const { head, scale } = facts;
  const record = {
    experiment: name,
    title,
    ...head,
    seconds,
    scale: { ...scale, maxDataEdges: finite(scale) },
    numbers,
    method,
    differences,
    warnings,
  };
  const markdown = [
    `# ${title}`,
    ...method.map(escapeMarkdown),
    ...warnings.map((text) => `> ${escapeMarkdown(text)}`),
    `Scale: ${escapeMarkdown(scale.doc)}.`,
    ...tables.flatMap(({ caption, table }) => [`**${escapeMarkdown(caption)}**`, markdownTable(table)]),
    `![${escapeMarkdown(figure.caption)}](${name}.svg)`,
    "## Compared with the published numbers",
    differences.map((text) => `- ${escapeMarkdown(text)}`).join("\n"),
    `\`${head.command}\`, ${machineText(head)}`,
  ];
  const paths = [`${name}.json`, `${name}.md`, `${name}.svg`].map((file) => join(out, file));
  await writeAllAtomically([
    { path: paths[0], content: `${JSON.stringify(record, null, 2)}\n` },
    { path: paths[1], content: `${markdown.join("\n\n")}\n` },
    { path: paths[2], content: figure.svg },
  ]);
  return paths;
}

/** JSON has no infinity; null means no limit. */
function finite({ maxDataEdges }: Scale): number | null {
  return Number.isFinite(maxDataEdges) ? maxDataEdges : null;
}

/** Writes index.html: every experiment with its figure, tables and differences. */
export async function writePage(out: string, all: readonly Finished[], { head, scale }: RunFacts): Promise<string> {
  const sections = all.map(({ experiment: { title }, result }): Section => {
    const [first, ...more] = result.tables;
    return {
      heading: title,
      blocks: [
        ...(result.headline === undefined ? [] : [{ numbers: result.headline }]),
        { svg: result.figure.svg, caption: result.figure.caption },
        { table: first.table, caption: first.caption },
        ...more.map(({ caption, table }): Block => ({ summary: caption, blocks: [{ table }] })),
        "Compared with the published numbers:",
        { list: result.differences },
        { summary: "How it was measured", blocks: result.method },
      ],
    };
  });
  // several experiments may have the same warning: shown once
  const warnings = new Set(all.flatMap(({ result }) => result.warnings ?? []));
  const about: Section = {
    heading: "About these numbers",
    blocks: [
      "Rows in italics are published numbers; all others were measured by the command below. Nothing was tuned to match: models run with their defaults or a named preset. If a number differs, the text states the difference and the likely reason.",
      ...(scale.name === "full" ? [] : [{ warning: `Scale: ${scale.doc}.` }]),
      ...[...warnings].map((warning): Block => ({ warning })),
      { code: head.command },
      machineText(head),
    ],
  };
  const path = join(out, "index.html");
  const page = htmlPage({
    title: "HMGE, reproduced",
    subtitle:
      "The experiments of “Hierarchical Aggregations for High-Dimensional Multiplex Graph Embedding” (Abdous, Mrabah, Bouguessa, TKDE 2024), run again",
    sections: [about, ...sections],
    footer: `hmge ${head.version}, ${head.date.slice(0, 10)}`,
  });
  await writeAtomically(path, page);
  return path;
}

function machineText({ version, engine, machine, date }: RecordHead): string {
  const { cpu, cores, platform, node } = machine;
  return `hmge ${version}, ${engine}, Node ${node}, ${cpu} (${cores} cores, ${platform}), ${date.slice(0, 10)}.`;
}
