/** Checks of --out for commands that write one table or picture. */

import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "../../core/errors.js";
import { filesAt, flagTexts, type InputArguments, requireNoInput } from "./input-files.js";
import { isFolder } from "./is-folder.js";
import { requireWritable } from "./output-folder.js";
import { recordedFiles } from "./run-graph.js";

/**
 * Throws, before the work, if the file cannot be written, if the command reads it by its arguments, or if it exists and `replace` is
 * false.
 */
export async function requireOutputFile(out: string, replace: boolean, args: InputArguments): Promise<void> {
  const paths = [...args.words, ...flagTexts(args)];
  for (const path of paths) await requireNoInput(out, await filesAt(path));
  for (const path of args.words) {
    await requireNoInput(out, await recordedFiles(path), { role: `an input of the run in ${path}` });
  }
  const found = await stat(out).catch(() => undefined);
  if (found?.isDirectory()) throw new InputError(`${out}: is a folder; expected a file name. Choose another --out.`);
  if (found !== undefined && !replace) {
    throw new InputError(`${out}: exists. Choose another --out, or add --overwrite.`);
  }
  if (!(await isFolder(dirname(out)))) {
    throw new InputError(`${out}: the folder ${dirname(out)} does not exist. Create it first.`);
  }
  await requireWritable(dirname(out), out);
}
