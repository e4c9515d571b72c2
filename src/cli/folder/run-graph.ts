/** The graph that the vectors of a run were learnt from: --graph, or the source that run.json names. */

import { dirname } from "node:path";
import { InputError, isUserError } from "../../core/errors.js";
import { contentHash } from "../../graph/content-hash.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { type Arguments, type CommandOption, switchOption, textOption } from "../command.js";
import { readSourceOptions, SOURCE_OPTIONS } from "../options/source-options.js";
import { loadSource } from "../run/load-source.js";
import { isFolder } from "./is-folder.js";
import { readRecord } from "./output-folder.js";

export const GRAPH_OPTIONS: readonly CommandOption[] = [
  {
    name: "graph",
    value: "SOURCE",
    repeatable: true,
    doc: "the graph of the vectors, read with the options of the run; several times for several files",
    default: "the source that run.json names, if it is unchanged",
  },
];

/** The parts of a run's record that say which graph it read and how it was trained. */
export interface SourceRecord {
  readonly command?: Readonly<Record<string, unknown>>;
  readonly graph?: { readonly hash?: string; readonly directed?: boolean };
  readonly model?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly training?: Readonly<Record<string, unknown>>;
  readonly seed?: number;
}

/** The record next to the vectors; empty if there is none. */
export async function readSourceRecord(vectors: string): Promise<SourceRecord> {
  const folder = (await isFolder(vectors)) ? vectors : dirname(vectors);
  const record = await readRecord(folder);
  return typeof record === "object" && record !== null ? record : {};
}

/** A graph, or the reason why there is none. */
export type FoundGraph =
  | { readonly graph: LoadedGraph; readonly notes: readonly string[] }
  | { readonly graph?: undefined; readonly reason: string };

/** Reads the graph of the vectors. A graph given by --graph must be readable; the recorded one may be gone or changed. */
export async function findRunGraph(given: Arguments, vectors: string, quiet: boolean): Promise<FoundGraph> {
  const record = await readSourceRecord(vectors);
  const sources = given.options.get("graph") ?? [];
  if (switchOption(given, "no-graph")) {
    if (sources.length > 0) throw new InputError("--no-graph: also given --graph; expected one of them.");
    return { reason: "--no-graph is given" };
  }
  const recorded = recordedArguments(record);
  if (sources.length > 0) {
    const { sql: _, ...rest } = Object.fromEntries(recorded?.options ?? []);
    const graph = await loadSource(
      readSourceOptions({ words: sources, options: new Map(Object.entries(rest)) }),
      quiet,
    );
    const changed = record.graph?.hash !== undefined && contentHash(graph) !== record.graph.hash;
    return { graph, notes: changed ? ["--graph is not the graph that the vectors were learnt from."] : [] };
  }
  if (recorded === undefined) return { reason: `${vectors} has no run.json that names its source` };
  const names = recorded.words.length > 0 ? recorded.words.join(" ") : `--sql ${textOption(recorded, "sql")}`;
  let graph: LoadedGraph;
  try {
    graph = await loadSource(readSourceOptions(recorded), quiet);
  } catch (error) {
    if (!isUserError(error) || !(error instanceof Error)) throw error;
    return { reason: `the source of the run cannot be read (${error.message})` };
  }
  if (contentHash(graph) !== record.graph?.hash) return { reason: `${names} has changed since the run` };
  return { graph, notes: [] };
}

/** The sources and reading options of a run as they were given to `embed`. */
function recordedArguments({ command }: SourceRecord): Arguments | undefined {
  if (command === undefined || !Array.isArray(command["sources"])) return undefined;
  const words = command["sources"].map(String);
  const names = [...SOURCE_OPTIONS.map(({ name }) => name), "labels", "train-labels"];
  const options = names.flatMap((name): [string, string[]][] => {
    const value = command[name];
    if (value === undefined) return [];
    return [[name, (Array.isArray(value) ? value : [value]).map(String)]];
  });
  if (words.length === 0 && !options.some(([name]) => name === "sql")) return undefined;
  return { words, options: new Map(options) };
}
