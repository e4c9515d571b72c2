/** The graph of a run's vectors: from --graph, or from the source in run.json. */

import { dirname } from "node:path";
import { InputError, isUserError } from "../../core/errors.js";
import { contentHash } from "../../graph/content-hash.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { flagName } from "../command.js";
import { text, texts } from "../options/flag-kinds.js";
import { readFlags } from "../options/parse-arguments.js";
import { readSourceOptions, SOURCE_OPTIONS } from "../options/source-options.js";
import { loadSource } from "../run/load-source.js";
import { isFolder } from "./is-folder.js";
import { readRecord } from "./output-folder.js";

export const GRAPH_OPTIONS = {
  graph: texts({
    value: "SOURCE",
    doc: "file or folder of the graph that the vectors were learnt from; read with the options of the run",
    defaultText: "the source in run.json, if it has not changed",
  }),
};

/** The fields of run.json about the graph and the training. */
export interface SourceRecord {
  readonly command?: Readonly<Record<string, unknown>>;
  readonly graph?: { readonly hash?: string; readonly directed?: boolean };
  readonly model?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly training?: Readonly<Record<string, unknown>>;
  readonly seed?: number;
  /** Groups of columns of the vectors. */
  readonly views?: readonly { readonly name: string; readonly width: number }[];
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

interface GraphOptionValues {
  readonly graph: readonly string[];
  readonly noGraph?: boolean;
}

/** Reads the graph of the vectors. Throws if the graph of --graph cannot be read; returns a reason if the recorded one is missing or has changed. */
export async function findRunGraph(
  { graph: sources, noGraph = false }: GraphOptionValues,
  vectors: string,
  quiet: boolean,
): Promise<FoundGraph> {
  const record = await readSourceRecord(vectors);
  if (noGraph) {
    if (sources.length > 0) throw new InputError("--no-graph: found together with --graph; expected only one of them.");
    return { reason: "--no-graph is set" };
  }
  const recorded = recordedSource(record);
  if (sources.length > 0) {
    const values = recorded?.values ?? readFlags(READING_OPTIONS, new Map());
    const graph = await loadSource(readSourceOptions({ words: sources, values: { ...values, sql: undefined } }), quiet);
    const changed = record.graph?.hash !== undefined && contentHash(graph) !== record.graph.hash;
    return { graph, notes: changed ? ["--graph is not the graph that the vectors were learnt from."] : [] };
  }
  if (recorded === undefined) return { reason: `${vectors} has no run.json with its source` };
  const sourceText = recorded.words.length > 0 ? recorded.words.join(" ") : `--sql ${recorded.values.sql}`;
  let graph: LoadedGraph;
  try {
    graph = await loadSource(readSourceOptions(recorded), quiet);
  } catch (error) {
    if (!isUserError(error) || !(error instanceof Error)) throw error;
    return { reason: `the source of the run cannot be read (${error.message})` };
  }
  if (contentHash(graph) !== record.graph?.hash) return { reason: `${sourceText} has changed since the run` };
  return { graph, notes: [] };
}

/** The options of `embed` that decide how files are read. */
const READING_OPTIONS = {
  ...SOURCE_OPTIONS,
  labels: text(undefined, { value: "FILE", doc: "" }),
  trainLabels: text(undefined, { value: "FILE", doc: "" }),
};

/** The sources and reading options in the recorded `embed` command. */
function recordedSource({ command }: SourceRecord) {
  if (command === undefined || !Array.isArray(command["sources"])) return undefined;
  const words = command["sources"].map(String);
  const flags = Object.keys(READING_OPTIONS).flatMap((option): [string, string[]][] => {
    const value = command[flagName(option)];
    return value === undefined ? [] : [[flagName(option), [value].flat().map(String)]];
  });
  const values = readFlags(READING_OPTIONS, new Map(flags));
  return words.length === 0 && values.sql === undefined ? undefined : { words, values };
}
