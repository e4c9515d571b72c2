/** The text that the demonstration prints at its end. */

import { join } from "node:path";
import type { RunRecord } from "../../core/record.js";
import type { Person } from "../../graph/synthetic/town.js";
import { barChart, formatBytes, formatSeconds, lossPlot, plural, table } from "../../report/terminal.js";
import { wrap } from "../terminal/help.js";
import { type Output, tableLayout } from "../terminal/output.js";
import { programName } from "../terminal/program-name.js";
import { type GroupAgreement, type Tie, tiesInWords } from "./demo-explain.js";

export interface Portrait {
  readonly person: Person;
  readonly near: readonly { readonly person: Person; readonly cosine: number; readonly ties: readonly Tie[] }[];
}

export interface DemoResult {
  readonly town: string;
  readonly record: RunRecord;
  readonly portraits: readonly Portrait[];
  readonly agreements: readonly GroupAgreement[];
  /** Number of nearest people per person that the agreements are computed from. */
  readonly nearest: number;
  readonly files: { readonly edges: string; readonly people: string; readonly vectors: string };
}

export function demoSummary(result: DemoResult, output: Output): string {
  const { ascii, style } = output;
  const width = Math.min(72, output.columns);
  const paragraph = (text: string) => wrap(text, width);
  const { record, files } = result;
  const { seconds } = record;
  return [
    "",
    ...paragraph(
      `Learnt one vector of ${String(record.options["dim"])} numbers for each of them, from the edges alone: ${plural(record.epochs, "epoch")} in ${formatSeconds(seconds.train)}.`,
    ),
    "",
    style.bold("The loss, epoch by epoch"),
    lossPlot(record.losses, { width, height: 6, ascii, bestEpoch: record.bestEpoch }),
    "",
    ...views(result, width, output),
    ...result.portraits.flatMap((portrait) => drawPortrait(portrait, output)),
    style.bold("Did it find the town?"),
    ...paragraph(
      `How often the ${result.nearest} nearest people share something that the training did not see, and how often any two people do:`,
    ),
    "",
    table(
      [
        ["the same", `${result.nearest} nearest`, "by chance"],
        ...result.agreements.map(({ grouping, nearest, chance }) => [grouping, percent(nearest), percent(chance)]),
      ],
      { ...tableLayout(output), indent: 2 },
    ),
    "",
    style.bold("Files"),
    table(
      [
        ["file", "content"],
        [files.edges, "the edges; your file may look the same"],
        [files.people, "who they are; not used in training"],
        ...record.outputs.map((name) => [join(files.vectors, name), OUTPUTS[name] ?? ""]),
      ],
      { ...tableLayout(output), indent: 2 },
    ),
    `  ${formatSeconds(seconds.total)} in total, peak memory ${formatBytes(record.memory.peakBytes)}, ${record.engine.description}`,
    "",
    style.bold("Next"),
    ...nextCommands(result).map((command) => `  ${style.accent(command)}`),
  ].join("\n");
}

const OUTPUTS: Readonly<Record<string, string>> = {
  "embeddings.parquet": "the vectors",
  "model.safetensors": "the trained parameters",
  "report.html": "charts, map, diagnosis; for a browser",
  "run.json": "the record: options, seed, losses, times",
};

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function views({ record }: DemoResult, width: number, { ascii, style }: Output): string[] {
  if (record.views.length === 0) return [];
  return [
    style.bold("Parts of a vector, by number of columns"),
    barChart(
      record.views.map((view) => ({ label: view.name, value: view.width })),
      { width, ascii, format: String },
    ),
    "",
  ];
}

function drawPortrait({ person, near }: Portrait, output: Output): string[] {
  const { style } = output;
  return [
    `${style.bold(`Nearest to ${person.name}`)} (${describe(person)})`,
    table(
      [
        ["cosine", "who", "why"],
        ...near.map((other) => [
          other.cosine.toFixed(3),
          `${other.person.name}, ${other.person.workplace}`,
          tiesInWords(other.ties, 2),
        ]),
      ],
      { ...tableLayout(output), indent: 2 },
    ),
    "",
  ];
}

function describe({ workplace, street, quarter, society }: Person): string {
  return `${workplace}; ${street}, ${quarter}; ${society}`;
}

/** Commands that work when pasted. */
function nextCommands({ portraits, files }: DemoResult): string[] {
  const program = programName();
  return [
    `${program} explore ${files.vectors} --nodes ${files.people}`,
    `${program} inspect ${files.edges}`,
    `${program} neighbors ${files.vectors} "${portraits[0].near[0].person.name}"`,
    `${program} embed ${files.edges} --out my-vectors --format tsv`,
  ];
}
