/** Checks the paths of a graph's sources before any of them is read. */

import { realpath, stat } from "node:fs/promises";
import { InputError } from "../../core/errors.js";
import { cannotRead } from "../read-input.js";
import { STANDARD_INPUT } from "../spool.js";
import { type DatasetFolder, openDatasetFolder } from "./dataset-folder.js";

/** The dataset folder, if the source is one; fails where a path is missing, empty or given twice. */
export async function findFolder(sources: readonly string[]): Promise<DatasetFolder | undefined> {
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
        const alias = other === path ? "" : ` (as ${other})`;
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
