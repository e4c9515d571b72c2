/** The work of `hmge convert`. */

import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../core/errors.js";
import {
  formatByName,
  formatByPath,
  readEmbeddings,
  readUnique,
  writeEmbeddings,
} from "../../io/formats/write-embeddings.js";
import { inWords } from "../../io/system-faults.js";

export interface Conversion {
  readonly from: string;
  readonly to: string;
  readonly fromFormat?: string;
  readonly toFormat?: string;
  readonly overwrite: boolean;
}

/** Some formats are several files; they appear together, and none replaces another unasked. */
export async function convertEmbeddings({ from, to, fromFormat, toFormat, overwrite }: Conversion) {
  const format = toFormat === undefined ? formatByPath(to) : formatByName(toFormat);
  const reader = fromFormat === undefined ? undefined : formatByName(fromFormat);
  if (!overwrite) await requireAbsent(to);
  const embedding = await (reader === undefined ? readEmbeddings(from) : readUnique(from, reader));
  const folder = dirname(to);
  const staging = await mkdtemp(join(folder, ".hmge-convert-")).catch((error: unknown) => {
    throw inWords(error, to);
  });
  try {
    await writeEmbeddings(join(staging, basename(to)), embedding, format.name);
    const names = (await readdir(staging)).sort();
    if (!overwrite) for (const name of names) await requireAbsent(join(folder, name));
    for (const name of names) await rename(join(staging, name), join(folder, name));
    return {
      files: names.map((name) => join(folder, name)),
      format: format.name,
      nodes: embedding.ids.length,
      dim: embedding.dim,
    };
  } catch (error) {
    throw inWords(error, to);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function requireAbsent(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return;
  throw new InputError(
    `${path}: ${found.isDirectory() ? "is a folder; expected a file name" : "exists"}. Choose another name, or add --overwrite.`,
  );
}
