/**
 * A dataset folder: `edges` and, each optional, `nodes`, `features`, `labels`, `split`, `links`, `dataset.json`. Where no
 * file is called `edges`, every other table is a file of edges, which names a relation if it has no column of them.
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { cannotRead } from "../read-input.js";

export interface DatasetFolder {
  /** One file, or one for each relation. */
  readonly edges: readonly string[];
  readonly nodes?: string;
  readonly features?: string;
  readonly labels?: string;
  readonly split?: string;
  readonly links?: string;
  /** Tables that are none of these. */
  readonly leftOut: readonly string[];
  /** Where every table is a relation: other files and folders, which may hold some too. */
  readonly unread: readonly string[];
  /** What dataset.json says. */
  readonly description?: Readonly<Record<string, unknown>>;
}

const PARTS = ["edges", "nodes", "features", "labels", "split", "links"] as const;
/** Those that nobody would call a relation. */
const IN_CAPITALS: ReadonlySet<string> = new Set(["edges", "nodes", "features", "labels"]);
/** Hidden files, and the locks that Office keeps next to open files. */
const HIDDEN = /^(\.|~\$)/;
/** Texts that come with data and are no tables. */
const PROSE = /^(readme|licen[cs]e|citation|changelog|notes?)\b.*\.(txt|json)$/i;
/** Files of other kinds that nobody expects to be read. */
const NO_DATA =
  /^(readme|licen[cs]e|makefile)|\.(md|rst|pdf|png|jpe?g|svg|html?|py|r|ipynb|sh|ya?ml|toml|bib|tex|safetensors)$/i;
/** Beside edges that are parted into files: other versions of what is told of nodes, such as labels.old.csv. */
const OF_NODES = /^(nodes|features|labels|split)\./i;
const EXTENSIONS = ["tsv", "csv", "parquet", "jsonl", "ndjson", "json", "txt", "sif", "edges", "edgelist"];
const ACCEPTED = EXTENSIONS.flatMap((extension) => [extension, `${extension}.gz`]);

const LISTED = /\.(edges|edgelist)(\.gz)?$/i;

/** As some publish their networks: `brain_top.gz`. */
const BARE_GZIP = /^[^.]+\.gz$/;

/** The part of a dataset folder that a file of this name is read as. */
export function partOf(name: string): (typeof PARTS)[number] | undefined {
  return PARTS.find((part) => ACCEPTED.some((extension) => name === `${part}.${extension}`));
}

/** Finds the files of a dataset folder. */
export async function openDatasetFolder(folder: string): Promise<DatasetFolder> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    throw cannotRead(error, folder);
  }
  // in capitals, too, where nothing else has the name
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
        `${folder}: both ${files[0]} and ${files[1]} are there; expected one of them. Remove the other.`,
      );
    }
    if (files.length === 1) found[part] = join(folder, files[0]);
  }
  const isTable = (name: string) =>
    ACCEPTED.some((end) => name.toLowerCase().endsWith(`.${end}`)) || BARE_GZIP.test(name);
  const tables = names.filter((name) => !HIDDEN.test(name) && isTable(name));
  const others = tables.filter((name) => name !== "dataset.json" && roleOf(name) === undefined && !PROSE.test(name));
  const edges = found.edges === undefined ? relationFiles(folder, names, others) : [found.edges];
  const leftOut = others.sort().filter((name) => !edges.includes(join(folder, name)));
  const description = names.includes("dataset.json") ? await readDescription(join(folder, "dataset.json")) : undefined;
  const isOther = (name: string) => !HIDDEN.test(name) && !isTable(name) && !NO_DATA.test(name);
  const unread = found.edges === undefined ? names.filter(isOther).sort() : [];
  return { ...found, edges, leftOut, unread, ...(description === undefined ? {} : { description }) };
}

/** All tables of the folder that are nothing else. */
function relationFiles(folder: string, names: readonly string[], others: readonly string[]): string[] {
  if (names.includes("embeddings.parquet")) {
    throw new InputError(
      `${folder}: holds the vectors of a run, and no edges; expected the graph they were learnt from.`,
    );
  }
  const stemOf = (name: string) => name.replace(LISTED, "");
  const tables = others.filter((name) => !OF_NODES.test(name) && !LISTED.test(name));
  // x.edges beside x.csv is what that was made from
  const listed = others.filter(
    (name) => LISTED.test(name) && !tables.some((other) => other.startsWith(`${stemOf(name)}.`)),
  );
  const files = [...tables, ...listed];
  if (files.length > 0) return files.sort().map((name) => join(folder, name));
  throw new InputError(
    `${folder}: the folder has no file of edges; expected edges.tsv, edges.csv, edges.parquet or edges.jsonl, ` +
      "plain or .gz, or such a file for every relation.",
  );
}

async function readDescription(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw cannotRead(error, path);
  }
  throw new InputError(`${path}: not a JSON object. Mend or remove it.`);
}
