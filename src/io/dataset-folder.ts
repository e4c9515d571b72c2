/** A dataset folder: `edges` and, each optional, `nodes`, `features`, `labels`, `split`, `links`, `dataset.json`. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../core/errors.js";
import { cannotRead } from "./read-input.js";

export interface DatasetFolder {
  readonly edges: string;
  readonly nodes?: string;
  readonly features?: string;
  readonly labels?: string;
  readonly split?: string;
  readonly links?: string;
  /** What dataset.json says. */
  readonly description?: Readonly<Record<string, unknown>>;
}

const PARTS = ["edges", "nodes", "features", "labels", "split", "links"] as const;
const EXTENSIONS = ["tsv", "csv", "parquet", "jsonl", "ndjson", "json", "txt"];

/** Finds the files of a dataset folder. */
export async function openDatasetFolder(folder: string): Promise<DatasetFolder> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    throw cannotRead(error, folder);
  }
  const accepted = EXTENSIONS.flatMap((extension) => [extension, `${extension}.gz`]);
  const found: Partial<Record<(typeof PARTS)[number], string>> = {};
  for (const part of PARTS) {
    const files = names.filter((name) => accepted.some((extension) => name === `${part}.${extension}`)).sort();
    if (files.length > 1) {
      throw new InputError(
        `${folder}: both ${files[0]} and ${files[1]} are there; expected one of them. Remove the other.`,
      );
    }
    if (files.length === 1) found[part] = join(folder, files[0]);
  }
  if (found.edges === undefined) {
    throw new InputError(
      `${folder}: the folder has no edges file; expected edges.tsv, edges.csv, edges.parquet or edges.jsonl, plain or .gz. ` +
        "Give the files themselves if they have other names.",
    );
  }
  const description = names.includes("dataset.json") ? await readDescription(join(folder, "dataset.json")) : undefined;
  return { ...found, edges: found.edges, ...(description === undefined ? {} : { description }) };
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
