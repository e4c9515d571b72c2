/** The files that a command reads, by its words and flags: no output may replace one of them. */

import { fstatSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { findEmbeddingFile } from "../../io/formats/embedding-files.js";
import { openDatasetFolder } from "../../io/graph/dataset-folder.js";
import { STANDARD_INPUT } from "../../io/spool.js";
import type { Arguments } from "../command.js";
import { isFolder } from "./is-folder.js";

/** The part of the arguments that may name inputs. */
export type InputArguments = Pick<Arguments, "words" | "flags">;

/** Flags that name outputs. */
const OUTPUT_FLAGS = ["out", "run", "static"];

/** The texts of all flags but those of outputs; some of them are paths. */
export function flagTexts({ flags }: InputArguments): string[] {
  return [...flags].filter(([name]) => !OUTPUT_FLAGS.includes(name)).flatMap(([, texts]) => texts);
}

/** The files that are read if a command is given this path: in a folder, those of its run or of its dataset. */
export async function filesAt(path: string): Promise<string[]> {
  if (!(await isFolder(path))) return [path];
  const vectors = await findEmbeddingFile(path);
  if (vectors !== undefined) return [vectors, ...["run.json", "model.safetensors"].map((name) => join(path, name))];
  // a folder that is no dataset is refused when it is read
  const dataset = await openDatasetFolder(path).catch(() => undefined);
  if (dataset === undefined) return [];
  const { edges, nodes, features, labels, split, links } = dataset;
  const parts = [nodes, features, labels, split, links].filter((file) => file !== undefined);
  return [...edges, ...parts, join(path, "dataset.json")];
}

/** Throws if `out` is one of these files, also under another path. `where` names the option or word in the message. */
export async function requireNoInput(
  out: string,
  inputs: readonly string[],
  { where = "--out", role = "also an input of this command" } = {},
): Promise<void> {
  const file = await fileIdentity(out);
  if (file === undefined) return;
  for (const input of inputs) {
    if ((await fileIdentity(input)) !== file) continue;
    throw new InputError(`${where}: ${out} is ${role}; choose another file.`);
  }
}

/** The same text for all paths of one file; undefined if there is no such file. */
async function fileIdentity(path: string): Promise<string | undefined> {
  try {
    const isStandardInput = path === STANDARD_INPUT;
    const status = isStandardInput ? fstatSync(0, { bigint: true }) : await stat(path, { bigint: true });
    return status.isFile() ? `${status.dev}:${status.ino}` : undefined;
  } catch {
    return undefined;
  }
}
