/**
 * A dataset folder: `edges` and, all optional, `nodes`, `features`, `labels`, `split`, `links` and `dataset.json`. If no file is
 * called `edges`, every other table is an edge file. Its name is the name of its relation, unless it has a relation column.
 */

import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { cannotRead } from "../read-input.js";
import { STANDARD_INPUT } from "../spool.js";

export interface DatasetFolder {
  /** One file, or one per relation. */
  readonly edges: readonly string[];
  readonly nodes?: string;
  readonly features?: string;
  readonly labels?: string;
  readonly split?: string;
  readonly links?: string;
  /** Tables that are not read. */
  readonly otherTables: readonly string[];
  /** Other files and folders that are not read, if every table is a relation: some of them may be relations too. */
  readonly otherFiles: readonly string[];
  /** The content of dataset.json. */
  readonly description?: Readonly<Record<string, unknown>>;
}

const PARTS = ["edges", "nodes", "features", "labels", "split", "links"] as const;
/** Parts that are also recognised in capitals, such as Labels.csv: no relation is likely to have these names. */
const IN_CAPITALS: ReadonlySet<string> = new Set(["edges", "nodes", "features", "labels"]);
/** Hidden files, and the lock files that Office keeps next to open files. */
const HIDDEN = /^(\.|~\$)/;
/** Texts about the data that have the extension of a table. */
const PROSE = /^(readme|licen[cs]e|citation|changelog|notes?)\b.*\.(txt|json)$/i;
/** Files that obviously hold no data; they are skipped without a note. */
const NO_DATA =
  /^(readme|licen[cs]e|makefile)|\.(md|rst|pdf|png|jpe?g|svg|html?|py|r|ipynb|sh|ya?ml|toml|bib|tex|safetensors)$/i;
/** Other versions of tables about nodes, such as labels.old.csv; they are not relations. */
const NODE_TABLE = /^(nodes|features|labels|split)\./i;
const EXTENSIONS = ["tsv", "csv", "parquet", "jsonl", "ndjson", "json", "txt", "sif", "edges", "edgelist"];
const ACCEPTED = EXTENSIONS.flatMap((extension) => [extension, `${extension}.gz`]);

const EDGE_LIST = /\.(edges|edgelist)(\.gz)?$/i;

/** A gzip file without another extension, such as `brain_top.gz`: some networks are published so. */
const BARE_GZIP = /^[^.]+\.gz$/;

/** The part of a dataset folder that a file of this name is read as. */
export function partOf(name: string): (typeof PARTS)[number] | undefined {
  return PARTS.find((part) => ACCEPTED.some((extension) => name === `${part}.${extension}`));
}

/** The dataset folder, if the only source is a folder. Throws if a path is missing, empty or given twice. */
export async function findDatasetFolder(sources: readonly string[]): Promise<DatasetFolder | undefined> {
  const names = new Map<string, string>();
  for (const path of sources) {
    if (path === STANDARD_INPUT) continue;
    if (path === "") {
      throw new InputError(
        "source: the path is empty; expected a file or a folder. If it comes from a variable, check that the variable is set.",
      );
    }
    const status = await stat(path).catch((error) => {
      throw cannotRead(error, path);
    });
    if (status.isFile()) {
      const file = await realpath(path);
      const other = names.get(file);
      if (other !== undefined) {
        const alias = other === path ? "" : ` (also as ${other})`;
        throw new InputError(`${path}: given twice${alias}; expected each file once.`);
      }
      names.set(file, path);
    }
    if (!status.isDirectory()) continue;
    if (sources.length > 1) {
      throw new InputError(`${path}: a folder among ${sources.length} sources; expected one folder, or files only.`);
    }
    return openDatasetFolder(path);
  }
  return undefined;
}

/** Finds the files of a dataset folder. */
export async function openDatasetFolder(folder: string): Promise<DatasetFolder> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    throw cannotRead(error, folder);
  }
  // A name in capitals counts only if no file has the name in lower case.
  const roleOf = (name: string) => {
    const part = partOf(name) ?? partOf(name.toLowerCase());
    const isPlain =
      part === partOf(name) || (IN_CAPITALS.has(part ?? "") && !names.some((other) => partOf(other) === part));
    return isPlain ? part : undefined;
  };
  const found: Partial<Record<(typeof PARTS)[number], string>> = {};
  for (const part of PARTS) {
    const files = names.filter((name) => roleOf(name) === part).sort();
    if (files.length > 1) {
      throw new InputError(
        `${folder}: found both ${files[0]} and ${files[1]}; expected one of them. Remove the other.`,
      );
    }
    if (files.length === 1) found[part] = join(folder, files[0]);
  }
  const isTable = (name: string) =>
    ACCEPTED.some((end) => name.toLowerCase().endsWith(`.${end}`)) || BARE_GZIP.test(name);
  const tables = names.filter((name) => !HIDDEN.test(name) && isTable(name));
  const others = tables.filter((name) => name !== "dataset.json" && roleOf(name) === undefined && !PROSE.test(name));
  const edges = found.edges === undefined ? relationFiles(folder, names, others) : [found.edges];
  const otherTables = others.sort().filter((name) => !edges.includes(join(folder, name)));
  const description = names.includes("dataset.json") ? await readDescription(join(folder, "dataset.json")) : undefined;
  const isOther = (name: string) => !HIDDEN.test(name) && !isTable(name) && !NO_DATA.test(name);
  const otherFiles = found.edges === undefined ? names.filter(isOther).sort() : [];
  return { ...found, edges, otherTables, otherFiles, ...(description === undefined ? {} : { description }) };
}

/** The tables that are relations, for a folder without a file called edges; `others` are its tables without a part. */
function relationFiles(folder: string, names: readonly string[], others: readonly string[]): string[] {
  if (names.includes("embeddings.parquet")) {
    throw new InputError(
      `${folder}: holds the vectors of a run and no edges; expected the graph from which they were learnt.`,
    );
  }
  const stemOf = (name: string) => name.replace(EDGE_LIST, "");
  const tables = others.filter((name) => !NODE_TABLE.test(name) && !EDGE_LIST.test(name));
  // x.csv was probably made from x.edges; then only x.csv is read.
  const edgeLists = others.filter(
    (name) => EDGE_LIST.test(name) && !tables.some((other) => other.startsWith(`${stemOf(name)}.`)),
  );
  const files = [...tables, ...edgeLists];
  if (files.length > 0) return files.sort().map((name) => join(folder, name));
  throw new InputError(
    `${folder}: the folder has no edge file; expected edges.tsv, edges.csv, edges.parquet or edges.jsonl, ` +
      "plain or .gz, or a table for each relation.",
  );
}

async function readDescription(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw cannotRead(error, path);
  }
  throw new InputError(`${path}: not a JSON object; expected one. Correct or remove the file.`);
}
