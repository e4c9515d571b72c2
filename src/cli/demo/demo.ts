/**
 * The demonstration: invents a town, writes its edges as a CSV file, embeds that file as `hmge embed` does, and explains
 * the result. A user's own file gives the same kind of result.
 */

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError, InternalError } from "../../core/errors.js";
import { int } from "../../core/options.js";
import type { RunRecord } from "../../core/record.js";
import { quoteField } from "../../core/vector-text.js";
import { findNode } from "../../graph/multiplex.js";
import { generateTown, type Town } from "../../graph/synthetic/town.js";
import { writeAllAtomically } from "../../io/atomic-write.js";
import { readEmbeddings } from "../../io/formats/embedding-files.js";
import { explainWriteError } from "../../io/system-faults.js";
import { plural } from "../../report/format.js";
import { nearestNodes } from "../../tasks/neighbors/neighbors-of-node.js";
import type { Arguments, Command } from "../command.js";
import { embed } from "../embed/embed.js";
import { embedGraph } from "../embed/embed-graph.js";
import { text } from "../options/flag-kinds.js";
import { parseArguments } from "../options/parse-arguments.js";
import { aloneJob } from "../ranks/job.js";
import type { Output } from "../terminal/output.js";
import { findTies, measureAgreements } from "./demo-explain.js";
import { type DemoResult, demoSummary, type Portrait } from "./demo-summary.js";

const OPTIONS = {
  out: text("hmge-demo", {
    value: "DIR",
    doc: "folder for the town and its vectors; an earlier demo there is replaced",
  }),
  seed: int(1, { min: 0, doc: "random seed; another seed gives another town" }),
};

export const demo: Command<typeof OPTIONS> = {
  usage: "[--out DIR] [--seed N]",
  options: OPTIONS,
  examples: ["", "--seed 7 --out other-town"],
  run: runDemo,
};

/** Files of the demonstration. */
export function demoFiles(out: string) {
  return { edges: join(out, "edges.csv"), people: join(out, "people.csv"), vectors: join(out, "vectors") };
}

/** Trains within seconds on a laptop; all other settings are the model's defaults. */
const EPOCHS = 150;
const NEAREST = 5;
const HEADER = "relation,source,target,weight";
const PEOPLE_HEADER = "name,quarter,address,workplace,society";
/** Workplaces of the two people whose nearest people are shown. */
const PORTRAITS = ["observatory", "shipyard"];

async function runDemo(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const { out, seed } = args.values;
  const town = generateTown(seed);
  const files = demoFiles(out);
  await requireEarlierDemo(files);
  await writeTown(town, out);
  if (!output.quiet) output.print(introduction(town, files.edges, output));

  const record = await embedFile(files.edges, files.vectors, seed, output);
  if (typeof record === "number") return record;
  const embedding = await readEmbeddings(files.vectors);
  const portraits = PORTRAITS.map((workplace): Portrait => {
    const node = town.people.findIndex((person) => person.workplace === workplace);
    const near = nearestNodes(embedding, node, NEAREST).map(({ node: name, cosine }) => {
      const other = findNode(town.graph, name);
      return { person: town.people[other], cosine, ties: findTies(town.graph, node, other) };
    });
    return { person: town.people[node], near };
  });
  const result: DemoResult = {
    town: town.name,
    record,
    portraits,
    agreements: measureAgreements(town, embedding, NEAREST),
    nearest: NEAREST,
    files,
  };
  if (!output.quiet) output.print(demoSummary(result, output));
  output.document(result);
  return 0;
}

function introduction(town: Town, edges: string, { style }: Output): string {
  const { people, graph } = town;
  const count = (key: "family" | "street" | "workplace" | "society") => new Set(people.map((p) => p[key])).size;
  const first = town.edges[0];
  return [
    `${style.bold(town.name)}, a harbour town that does not exist: ${people.length} people of ${count("family")} families`,
    `in ${count("street")} streets, ${count("workplace")} places of work and ${count("society")} societies. Who knows whom is in ${edges}:`,
    `${plural(town.edges.length, "edge")} in ${plural(graph.relations.length, "relation")}, one edge a line, such as`,
    "",
    style.dim(`  ${HEADER}`),
    style.dim(`  ${edgeLine(first)}`),
  ].join("\n");
}

function edgeLine({ relation, source, target, weight }: Town["edges"][number]): string {
  return [relation, source, target, String(weight)].map((field) => quoteField(field, ",")).join(",");
}

/** Writes the edges and the people of a town. */
export async function writeTown(town: Town, out: string): Promise<void> {
  const { edges, people } = demoFiles(out);
  await mkdir(out, { recursive: true }).catch((error: unknown) => {
    throw explainWriteError(error, out);
  });
  const edgeLines = town.edges.map(edgeLine);
  const peopleLines = town.people.map(({ name, quarter, street, house, workplace, society }) => {
    return [name, quarter, `${house} ${street}`, workplace, society].map((field) => quoteField(field, ",")).join(",");
  });
  await writeAllAtomically([
    { path: edges, content: `${HEADER}\n${edgeLines.join("\n")}\n` },
    { path: people, content: `${PEOPLE_HEADER}\n${peopleLines.join("\n")}\n` },
  ]);
}

/** Throws if the files exist and are not those of an earlier demonstration. */
async function requireEarlierDemo({
  edges,
  people,
}: {
  readonly edges: string;
  readonly people: string;
}): Promise<void> {
  const read = (path: string) => readFile(path, "utf8").catch(() => undefined);
  const earlier = await read(people);
  if (earlier?.startsWith(PEOPLE_HEADER)) return;
  const taken = earlier !== undefined ? people : (await read(edges)) !== undefined ? edges : undefined;
  if (taken === undefined) return;
  throw new InputError(`${taken}: exists, and does not come from an earlier demonstration. Choose another --out.`);
}

/** Runs `hmge embed FILE --out DIR …` without its output; returns the record, or the exit code if it failed. */
export async function embedFile(file: string, out: string, seed: number, output: Output): Promise<RunRecord | number> {
  let record: RunRecord | undefined;
  const words = [file, "--out", out, "--epochs", String(EPOCHS), "--seed", String(seed), "--overwrite"];
  const code = await embedGraph(
    parseArguments(embed, words),
    aloneJob({
      ...output,
      json: true,
      print: () => {},
      document: (value) => (record = value as RunRecord),
    }),
  );
  if (record === undefined && code !== undefined && code !== 0) return code;
  if (record === undefined) throw new InternalError("the demonstration has no record");
  return record;
}
