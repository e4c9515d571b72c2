/** The graph of a run's vectors: from --graph, or from the source in run.json. */

import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError, isUserError } from "../../core/errors.js";
import { contentHash } from "../../graph/content-hash.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { flagName } from "../command.js";
import { text, texts } from "../options/flag-kinds.js";
import { readFlags } from "../options/parse-arguments.js";
import { readSourceOptions, SOURCE_OPTIONS } from "../options/source-options.js";
import { loadSource } from "../run/load-source.js";
import { filesAt } from "./input-files.js";
import { isFolder } from "./is-folder.js";
import { readRecord } from "./output-folder.js";

export const GRAPH_OPTIONS = {
  graph: texts({
    value: "SOURCE",
    doc: "file or folder of the graph that the vectors were learnt from; read with the options of the run",
    defaultText: "the files in run.json, if they have not changed; a query is not executed again",
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

/** The record next to the vectors, without values of another type, which only a changed file has; empty if there is none. */
export async function readSourceRecord(vectors: string): Promise<SourceRecord> {
  const folder = (await isFolder(vectors)) ? vectors : dirname(vectors);
  const { command, graph, model, options, training, seed, views } = fieldsOf(await readRecord(folder));
  const { hash, directed } = fieldsOf(graph);
  const facets = (Array.isArray(views) ? views : []).map(fieldsOf);
  return {
    command: Object.fromEntries(Object.entries(fieldsOf(command)).filter(([, value]) => [value].flat().every(isPlain))),
    graph: {
      ...(typeof hash === "string" ? { hash } : {}),
      ...(typeof directed === "boolean" ? { directed } : {}),
    },
    ...(typeof model === "string" ? { model } : {}),
    ...(options === undefined ? {} : { options: fieldsOf(options) }),
    ...(training === undefined ? {} : { training: fieldsOf(training) }),
    ...(typeof seed === "number" ? { seed } : {}),
    views: facets.flatMap(({ name, width }) =>
      typeof name === "string" && typeof width === "number" ? [{ name, width }] : [],
    ),
  };
}

/** The fields of an object; none of another value. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Whether a recorded value is one that a command line can hold. */
function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** A graph, or the reason why there is none. */
export type FoundGraph =
  | { readonly graph: LoadedGraph; readonly notes: readonly string[] }
  | { readonly graph?: undefined; readonly reason: string };

interface GraphOptionValues {
  readonly graph: readonly string[];
  readonly noGraph?: boolean;
  /** Whether run.json was written by this process. Otherwise it may come from somebody else, and its query is not executed. */
  readonly isOwnRun?: boolean;
}

/**
 * Reads the graph of the vectors. Throws if the graph of --graph cannot be read; returns a reason if the recorded one is missing or has
 * changed, or if reading it could do harm: a recorded query could read any file, and a pipe could wait forever.
 */
export async function findRunGraph(
  { graph: sources, noGraph = false, isOwnRun = false }: GraphOptionValues,
  vectors: string,
  quiet: boolean,
): Promise<FoundGraph> {
  const record = await readSourceRecord(vectors);
  if (noGraph) {
    if (sources.length > 0) throw new InputError("--no-graph: found together with --graph; expected only one of them.");
    return { reason: "--no-graph is set" };
  }
  let recorded: RecordedSource | undefined;
  try {
    recorded = recordedSource(record);
  } catch (error) {
    if (!isUserError(error)) throw error;
    if (sources.length === 0) return { reason: `run.json is damaged (${error.message})` };
  }
  if (sources.length > 0) {
    const values = recorded?.values ?? readFlags(READING_OPTIONS, new Map());
    const graph = await loadSource(readSourceOptions({ words: sources, values: { ...values, sql: undefined } }), quiet);
    const changed = record.graph?.hash !== undefined && contentHash(graph) !== record.graph.hash;
    return { graph, notes: changed ? ["--graph is not the graph that the vectors were learnt from."] : [] };
  }
  if (recorded === undefined) return { reason: `${vectors} has no run.json with its source` };
  const refusal = isOwnRun ? undefined : await refusedSource(recorded);
  if (refusal !== undefined) return { reason: refusal };
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

/** Why a recorded source is not read again; undefined if it is. */
async function refusedSource(recorded: RecordedSource): Promise<string | undefined> {
  if (recorded.values.sql !== undefined) return "the graph is a query (--sql), and a query in run.json is not executed";
  for (const file of namedFiles(recorded)) {
    const status = file === "-" ? undefined : await stat(file).catch(() => undefined);
    const isStream = file === "-" || (status !== undefined && !status.isFile() && !status.isDirectory());
    if (isStream) return `${file} is no file or folder, and a pipe in run.json is not read again`;
  }
  return undefined;
}

/** The files that the run of these vectors read by its recorded command; none if the record is missing or damaged. */
export async function recordedFiles(vectors: string): Promise<string[]> {
  try {
    const recorded = recordedSource(await readSourceRecord(vectors));
    if (recorded === undefined) return [];
    return (await Promise.all(namedFiles(recorded).map(filesAt))).flat();
  } catch (error) {
    if (!isUserError(error)) throw error;
    return [];
  }
}

/** The options of `embed` that decide how files are read. */
const READING_OPTIONS = {
  ...SOURCE_OPTIONS,
  labels: text(undefined, { value: "FILE", doc: "" }),
  trainLabels: text(undefined, { value: "FILE", doc: "" }),
};

type RecordedSource = NonNullable<ReturnType<typeof recordedSource>>;

function namedFiles({ words, values }: RecordedSource): string[] {
  const files = [...words, values.features, values.nodes, values.labels, values.trainLabels];
  return files.filter((name) => name !== undefined);
}

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
