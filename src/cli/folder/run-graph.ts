/** The graph of a run's vectors: from --graph, or from the source in run.json. */

import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative } from "node:path";
import { InputError, isUserError } from "../../core/errors.js";
import { contentHash } from "../../graph/content-hash.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { isUnnamed } from "../../io/spool.js";
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
  /** The folder in which the command of the run was started, if it is known. */
  readonly workingFolder?: string;
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
  const record = fieldsOf(await readRecord(folder));
  const { command, graph, model, options, training, seed, views } = record;
  const workingFolder = await findWorkingFolder(folder, record);
  const { hash, directed } = fieldsOf(graph);
  const facets = (Array.isArray(views) ? views : []).map(fieldsOf);
  return {
    command: Object.fromEntries(Object.entries(fieldsOf(command)).filter(([, value]) => [value].flat().every(isPlain))),
    graph: {
      ...(typeof hash === "string" ? { hash } : {}),
      ...(typeof directed === "boolean" ? { directed } : {}),
    },
    ...(workingFolder === undefined ? {} : { workingFolder }),
    ...(typeof model === "string" ? { model } : {}),
    ...(options === undefined ? {} : { options: fieldsOf(options) }),
    ...(training === undefined ? {} : { training: fieldsOf(training) }),
    ...(typeof seed === "number" ? { seed } : {}),
    views: facets.flatMap(({ name, width }) =>
      typeof name === "string" && typeof width === "number" ? [{ name, width }] : [],
    ),
  };
}

/**
 * The folder in which the command of a run was started, as a path from the current folder. Records of versions before 0.5 do not name
 * it; it follows from --out if that is a path below it.
 */
async function findWorkingFolder(
  folder: string,
  { workingFolder, command }: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const out = fieldsOf(command)["out"];
  const isBelow = typeof out === "string" && !isAbsolute(out) && !normalize(out).startsWith("..");
  const path = typeof workingFolder === "string" ? workingFolder : isBelow ? relative(out, ".") : undefined;
  const real = await realpath(folder).catch(() => undefined);
  return path === undefined || real === undefined ? undefined : relative(".", join(real, path));
}

/** The paths that a file of the recorded command may have: the path as it was typed, or the same path from the folder of that command. */
function possiblePaths(path: string, { workingFolder }: SourceRecord): string[] {
  const isFixed = workingFolder === undefined || isAbsolute(path) || isUnnamed(path);
  return isFixed ? [path] : [...new Set([path, join(workingFolder, path)])];
}

/** The path of a file of the recorded command: the first possible one that exists, or the path as it was typed. */
export async function findRecordedFile(path: string, record: SourceRecord): Promise<string> {
  for (const possible of possiblePaths(path, record)) if (await exists(possible)) return possible;
  return path;
}

async function exists(path: string): Promise<boolean> {
  return isUnnamed(path) || (await stat(path).catch(() => undefined)) !== undefined;
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
  | {
      readonly graph: LoadedGraph;
      /** The paths that were read; none for a query. */
      readonly sources: readonly string[];
      readonly notes: readonly string[];
    }
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
    return { graph, sources, notes: changed ? ["--graph is not the graph that the vectors were learnt from."] : [] };
  }
  if (recorded === undefined) return { reason: `${vectors} has no run.json with its source` };
  let found: FoundGraph | undefined;
  for (const place of await recordedPlaces(recorded, record)) {
    const read = await readRecordedGraph(place, record, { isOwnRun, quiet });
    if (read.graph !== undefined) return read;
    found ??= read;
  }
  return found ?? readRecordedGraph(recorded, record, { isOwnRun, quiet });
}

/** The recorded source with the paths as they were typed, and from the folder of that command; only those that exist. */
async function recordedPlaces(recorded: RecordedSource, record: SourceRecord): Promise<RecordedSource[]> {
  const moved = (path: string) => possiblePaths(path, record).at(-1) ?? path;
  const movedFile = (path: string | undefined) => (path === undefined ? undefined : moved(path));
  const { words, values } = recorded;
  const other = {
    words: words.map(moved),
    values: {
      ...values,
      features: movedFile(values.features),
      nodes: movedFile(values.nodes),
      labels: movedFile(values.labels),
      trainLabels: movedFile(values.trainLabels),
    },
  };
  const isSame = namedFiles(other).join("\n") === namedFiles(recorded).join("\n");
  const found: RecordedSource[] = [];
  for (const place of isSame ? [recorded] : [recorded, other]) {
    const files = [...place.words, place.values.features, place.values.nodes].filter((file) => file !== undefined);
    if ((await Promise.all(files.map(exists))).every(Boolean)) found.push(place);
  }
  return found;
}

async function readRecordedGraph(
  recorded: RecordedSource,
  record: SourceRecord,
  { isOwnRun, quiet }: { readonly isOwnRun: boolean; readonly quiet: boolean },
): Promise<FoundGraph> {
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
  return { graph, sources: recorded.words, notes: [] };
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
    const record = await readSourceRecord(vectors);
    const recorded = recordedSource(record);
    if (recorded === undefined) return [];
    const paths = namedFiles(recorded).flatMap((path) => possiblePaths(path, record));
    return (await Promise.all(paths.map(filesAt))).flat();
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
