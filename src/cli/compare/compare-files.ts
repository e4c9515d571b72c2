/** The files of a comparison in the folder --out: compare.json and compare.md. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { firstNames } from "../../core/text.js";
import { writeAllAtomically } from "../../io/atomic-write.js";
import { explainWriteError } from "../../io/system-faults.js";
import { readRecord } from "../folder/output-folder.js";

const TABLE = "compare.json";

/** The fields of compare.json that later comparisons read. */
interface EarlierComparison {
  readonly graph?: Readonly<Record<string, unknown>>;
  readonly graphs?: unknown;
  readonly models?: unknown;
}

async function readEarlier(out: string): Promise<EarlierComparison> {
  return ((await readRecord(out, TABLE)) ?? {}) as EarlierComparison;
}

/** Throws if the folder holds the comparison of another graph, or of several graphs. */
export async function requireSameGraph(out: string, key: unknown, files: readonly string[]): Promise<void> {
  const { graph, graphs } = await readEarlier(out);
  if (graphs !== undefined) throw otherTable(out, "a comparison of several graphs, made with --regret");
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  // the user may have corrected the same files since
  if (graph === undefined || same(graph["key"], key) || (files.length > 0 && same(graph["files"], files))) return;
  const fileNames = Array.isArray(graph["files"]) ? ` (${firstNames(graph["files"].map(String), 2)})` : "";
  throw otherTable(out, `the comparison of another graph${fileNames}`);
}

/** Throws if the folder holds a comparison on one graph. */
export async function requireRegretFolder(out: string): Promise<void> {
  const { graph } = await readEarlier(out);
  if (graph !== undefined) throw otherTable(out, "a comparison on one graph, made without --regret");
}

function otherTable(out: string, found: string): InputError {
  return new InputError(`${out}: holds ${found}, whose table would be replaced. Choose another --out.`);
}

/** Models of the existing table that the new table will not have. */
export async function droppedModels(out: string, labels: readonly string[]): Promise<string[]> {
  return missingNames((await readEarlier(out)).models, "label", labels);
}

/** Graphs of the existing table that the new table will not have. */
export async function droppedGraphs(out: string, names: readonly string[]): Promise<string[]> {
  return missingNames((await readEarlier(out)).graphs, "name", names);
}

function missingNames(entries: unknown, field: string, names: readonly string[]): string[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => {
    const name: unknown = entry?.[field];
    return typeof name === "string" && !names.includes(name) ? [name] : [];
  });
}

/** Writes both files and returns their paths. */
export async function writeComparison(out: string, record: object, markdown: readonly string[]): Promise<string[]> {
  const files = [join(out, TABLE), join(out, "compare.md")];
  await mkdir(out, { recursive: true }).catch((error: unknown) => {
    throw explainWriteError(error, out);
  });
  await writeAllAtomically([
    { path: files[0], content: `${JSON.stringify(record, null, 2)}\n` },
    { path: files[1], content: `${markdown.join("\n\n")}\n` },
  ]);
  return files;
}
