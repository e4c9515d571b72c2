/** `hmge neighbors`: the nodes with the most similar vectors, by cosine. */

import { resolve } from "node:path";
import type { Embedding, VectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { flag, int } from "../../core/options.js";
import { openEmbeddings } from "../../io/formats/embedding-files.js";
import { neighborFormat, writeNeighbors } from "../../io/results/neighbor-file.js";
import { formatCount, formatSeconds, plural } from "../../report/terminal.js";
import { findNodes } from "../../tasks/neighbors/find-nodes.js";
import {
  K_OPTION,
  type NeighborTable,
  nearestNeighbors,
  neighborsInRow,
} from "../../tasks/neighbors/nearest-neighbors.js";
import type { SearchMethod, SearchProgress } from "../../tasks/neighbors/search/find-nearest.js";
import type { Arguments, Command } from "../command.js";
import { requireOutputFile } from "../folder/output-file.js";
import { isEarlierRun, readRecord } from "../folder/output-folder.js";
import { ENGINE_OPTIONS, readEngine } from "../options/engine-option.js";
import { text } from "../options/flag-kinds.js";
import { listenForInterrupt } from "../terminal/interrupt.js";
import type { Output } from "../terminal/output.js";
import { type ProgressBar, showBar } from "../terminal/progress.js";
import { type Query, readAmong, readQuery, rowsOf, vectorNames } from "./neighbor-queries.js";
import { printNeighbors, searchText } from "./neighbor-text.js";

/** Nodes whose neighbours are printed; more need a file. */
const MAX_PRINTED = 1000;

const OPTIONS = {
  k: K_OPTION,
  count: int(undefined, { min: 1, doc: "the same as --k" }),
  all: flag(false, {
    doc: `find the neighbours of every node; more than ${formatCount(MAX_PRINTED)} nodes need --out`,
  }),
  nodes: text(undefined, {
    value: "FILE",
    doc: "find the neighbours of these nodes: one id per line, or a table with a column node",
  }),
  vector: text(undefined, {
    value: "NUMBERS|FILE",
    doc: "find the nodes nearest to a vector: numbers separated by commas, or a file with one such vector per line",
  }),
  among: text(undefined, {
    value: "FILE|PREFIX",
    doc: "list only these nodes as neighbours: a file as for --nodes, or a prefix of their ids, such as item:",
  }),
  known: text(undefined, {
    value: "DIR",
    doc: "find neighbours among the nodes of this embedding; for new nodes that embed --model-from wrote",
  }),
  center: flag(false, {
    doc: "subtract the mean vector before computing cosines, as in report.html; this is the default",
  }),
  raw: flag(false, { doc: "do not subtract the mean vector" }),
  exact: flag(false, { doc: "compare all pairs, even if that takes long" }),
  approximate: flag(false, {
    doc: "compare only promising pairs and report the recall",
    defaultText: "on if comparing all pairs would take more than about a minute on two cores",
  }),
  out: text(undefined, {
    value: "FILE",
    doc: "table of node, neighbor, rank and cosine; the extension chooses the format: .parquet, .csv or .tsv",
  }),
  overwrite: flag(false, { doc: "replace the --out file if it exists" }),
  ...ENGINE_OPTIONS,
};

export const neighbors: Command<typeof OPTIONS> = {
  usage: "DIR NODE… | DIR --all|--nodes FILE|--vector NUMBERS [options]",
  options: OPTIONS,
  examples: [
    "vectors TP53",
    "vectors/embeddings.parquet TP53 BRCA1 --k 5 --json",
    "vectors --all --k 20 --out neighbors.parquet",
    "vectors --nodes users.txt --among item: --out items.csv",
    "new-vectors --all --known vectors --out places.tsv",
    "vectors --vector 0.1,0.2,-0.3,0.4",
  ],
  async details() {
    return [
      "The cosine compares whole vectors. Those of multiview follow features and large regions more than edges.",
      "To list the nodes that a node is most probably linked to next, use hmge predict-links DIR --relation NAME --node NODE.",
    ].join("\n");
  },
  run: runNeighbors,
};

async function runNeighbors(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  if (args.words.length === 0) {
    throw new InputError(
      "neighbors: expected the folder or file of an embedding and at least one node, such as: hmge neighbors vectors NODE",
    );
  }
  const begin = performance.now();
  const [path] = args.words;
  const { values } = args;
  const { out, overwrite, among } = values;
  const k = readK(args);
  requireOneOf(values, "raw", "center");
  const center = !values.raw;
  const method = readMethod(values);
  if (out === undefined && overwrite) {
    throw new InputError("--overwrite: --out is missing; expected the file to replace.");
  }
  if (out !== undefined) {
    neighborFormat(out);
    await requireOutputFile(out, overwrite, { words: [path], flags: args.flags });
  }
  const query = await readQuery(args);
  const { embedding, queries } = await readSides(args, query);
  const numQueried = query.kind === "nodes" ? query.ids.length : (queries ?? embedding).ids.length;
  if (out === undefined && numQueried > MAX_PRINTED) {
    throw new InputError(
      `neighbors: ${formatCount(numQueried)} nodes are too many to print; expected at most ${formatCount(MAX_PRINTED)}, or a file. Add --out neighbors.parquet.`,
    );
  }
  const engine = await readEngine(values, output);
  const interrupt = listenForInterrupt(() => output.note("\nstopping; press Ctrl-C again to quit now"));
  const progress = searchProgress(output.quiet);
  let found: NeighborTable;
  try {
    found = await nearestNeighbors(embedding, {
      k,
      center,
      method,
      engine,
      queries,
      nodes: query.kind === "nodes" && queries === undefined ? query.ids : undefined,
      among: among === undefined ? undefined : await readAmong(among, embedding.ids),
      signal: interrupt.signal,
      onProgress: progress.update,
    });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    output.note(out === undefined ? "stopped" : `stopped; ${out} was not written`);
    return 130;
  } finally {
    progress.end();
    interrupt.stop();
  }
  const facts = {
    embedding: path,
    known: values.known,
    k,
    centered: found.centered,
    search: found.search,
    engine: engine.description,
  };
  if (out === undefined) {
    const results = found.nodes.map((node, i) => ({ node, neighbors: neighborsInRow(found, i) }));
    output.document({ ...facts, results });
    printNeighbors(results, found, output);
    return 0;
  }
  const rows = await writeNeighbors(out, found);
  const seconds = (performance.now() - begin) / 1000;
  output.document({ ...facts, nodes: found.nodes.length, rows, seconds, out });
  if (!output.quiet) {
    output.print(
      `nearest neighbours of ${plural(found.nodes.length, "node")}: ${plural(rows, "row")}, ${formatSeconds(seconds)}`,
    );
    output.print(`  ${searchText(found)}`);
    output.print(`  ${out}`);
  }
  return 0;
}

function readK({ values, flags }: Arguments<typeof OPTIONS>): number {
  if (flags.has("k") && flags.has("count")) {
    throw new InputError("--count: found together with --k, which means the same; expected only one of them.");
  }
  return values.count ?? values.k;
}

type Values = Arguments<typeof OPTIONS>["values"];

/** Fails if both of two opposite switches are given. */
function requireOneOf(values: Values, first: "raw" | "exact", second: "center" | "approximate"): void {
  if (values[first] && values[second]) {
    throw new InputError(`--${first}: found together with --${second}; expected only one of them.`);
  }
}

function readMethod(values: Values): SearchMethod {
  requireOneOf(values, "exact", "approximate");
  if (values.exact) return "exact";
  return values.approximate ? "approximate" : "auto";
}

/** The embedding in which neighbours are searched, and the query vectors if they are not in it. */
async function readSides(
  args: Arguments<typeof OPTIONS>,
  query: Query,
): Promise<{ embedding: Embedding | VectorRows; queries?: Embedding }> {
  const [path] = args.words;
  const { known } = args.values;
  if (known !== undefined && resolve(known) === resolve(path)) {
    throw new InputError(
      `--known: ${known} is also the embedding that is searched for; expected another, or no --known.`,
    );
  }
  if (query.kind === "vectors") {
    if (known !== undefined) {
      throw new InputError(
        `--known: found together with --vector; expected only one of them. Give ${known} in place of ${path}.`,
      );
    }
    const embedding = await openEmbeddings(path);
    requireDim("--vector", query.dim, embedding, path);
    const { vectors, dim } = query;
    return { embedding, queries: { ids: vectorNames(vectors.length / dim), dim, vectors } };
  }
  const queryEmbedding = await openEmbeddings(path);
  if (known === undefined) {
    if (query.kind === "nodes") findNodes(queryEmbedding.ids, query.ids, query.where);
    return { embedding: queryEmbedding };
  }
  const embedding = await openEmbeddings(known);
  requireDim(path, queryEmbedding.dim, embedding, known);
  await requireComparable(path, known);
  return { embedding, queries: rowsOf(queryEmbedding, query) };
}

/** Throws if both folders hold trained runs: two trainings have different axes, so cosines between them are meaningless. */
async function requireComparable(path: string, known: string): Promise<void> {
  const [queryRecord, knownRecord] = await Promise.all([path, known].map((folder) => readRecord(folder)));
  if (!isEarlierRun(queryRecord) || !isEarlierRun(knownRecord)) return;
  throw new InputError(
    `--known: ${path} and ${known} were trained separately, so their vectors cannot be compared; expected nodes placed by the run in ${known}. Place them with hmge embed SOURCE --model-from ${known} --out DIR.`,
  );
}

function requireDim(where: string, dim: number, embedding: Pick<Embedding, "dim">, path: string): void {
  if (dim === embedding.dim) return;
  throw new InputError(`${where}: ${plural(dim, "number")} per vector; expected ${embedding.dim} as in ${path}.`);
}

const STAGES: Readonly<Record<SearchProgress["stage"], string>> = {
  index: "grouping vectors",
  sample: "exact neighbours of a sample",
  search: "neighbours",
};

/** One bar for each stage of a search. */
function searchProgress(quiet: boolean) {
  let bar: ProgressBar | undefined;
  let stage: SearchProgress["stage"] | undefined;
  let begin = performance.now();
  return {
    update(report: SearchProgress): void {
      const { done, total } = report;
      if (report.stage !== stage) {
        bar?.end();
        bar = showBar(total, quiet, { last: false });
        begin = performance.now();
        stage = report.stage;
      }
      const name = STAGES[report.stage];
      const left = ((performance.now() - begin) / 1000 / done) * (total - done);
      bar?.update(done, () => [
        report.stage === "index"
          ? `${name}: ${Math.round((100 * done) / total)} %`
          : `${name}: ${formatCount(done)}/${formatCount(total)} nodes`,
        `${formatSeconds(left)} left`,
      ]);
    },
    end(): void {
      bar?.end();
    },
  };
}
