/** `hmge convert`: converts vectors from one file format to another. */

import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../core/errors.js";
import { flag } from "../../core/options.js";
import {
  formatByName,
  formatByPath,
  openEmbeddingFile,
  openEmbeddings,
  writeEmbeddings,
} from "../../io/formats/embedding-files.js";
import { embeddingFormats } from "../../io/formats/index.js";
import { explainWriteError } from "../../io/system-faults.js";
import type { Arguments, Command } from "../command.js";
import { filesAt, requireNoInput } from "../folder/input-files.js";
import { text } from "../options/flag-kinds.js";
import type { Output } from "../terminal/output.js";

const OPTIONS = {
  from: text(undefined, { value: "FORMAT", doc: "format of IN", defaultText: "by its extension" }),
  to: text(undefined, { value: "FORMAT", doc: "format of OUT", defaultText: "by its extension" }),
  overwrite: flag(false, { doc: "replace OUT if it exists" }),
};

export const convert: Command<typeof OPTIONS> = {
  usage: "IN OUT [options]",
  options: OPTIONS,
  examples: ["vectors vectors.npy", "vectors/embeddings.parquet vectors.txt --to word2vec"],
  async details() {
    const lines = embeddingFormats.map(({ name, extension, doc }) => {
      return `  ${name.padEnd(9)}  ${`.${extension}`.padEnd(12)}  ${doc}`;
    });
    return ["formats:", ...lines].join("\n");
  },
  run: runConvert,
};

async function runConvert(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const [from, to, extra] = args.words;
  if (from === undefined || to === undefined || extra !== undefined) {
    throw new InputError(
      `convert: ${args.words.length} paths given; expected two, a file or folder to read and a file to write.`,
    );
  }
  const result = await convertEmbeddings({
    from,
    to,
    fromFormat: args.values.from,
    toFormat: args.values.to,
    overwrite: args.values.overwrite,
  });
  output.document(result);
  if (!output.quiet) {
    output.print(`${result.nodes} vectors of ${result.dim} numbers`);
    for (const file of result.files) output.print(`  ${file}`);
  }
  return 0;
}

interface Conversion {
  readonly from: string;
  readonly to: string;
  readonly fromFormat?: string;
  readonly toFormat?: string;
  readonly overwrite: boolean;
}

/** A format may have several files. They are written to a temporary folder first, and replace existing files only with `overwrite`. */
async function convertEmbeddings({ from, to, fromFormat, toFormat, overwrite }: Conversion) {
  const format = toFormat === undefined ? formatByPath(to) : formatByName(toFormat);
  const reader = fromFormat === undefined ? undefined : formatByName(fromFormat);
  const inputs = await filesAt(from);
  await requireNoInput(to, inputs, { where: "OUT" });
  if (!overwrite) await requireAbsent(to);
  const vectors = await (reader === undefined ? openEmbeddings(from) : openEmbeddingFile(from, reader));
  const folder = dirname(to);
  const staging = await mkdtemp(join(folder, ".hmge-convert-")).catch((error: unknown) => {
    throw explainWriteError(error, to);
  });
  try {
    await writeEmbeddings(join(staging, basename(to)), vectors, format.name);
    const names = (await readdir(staging)).sort();
    for (const name of names) await requireNoInput(join(folder, name), inputs, { where: "OUT" });
    if (!overwrite) for (const name of names) await requireAbsent(join(folder, name));
    for (const name of names) await rename(join(staging, name), join(folder, name));
    return {
      files: names.map((name) => join(folder, name)),
      format: format.name,
      nodes: vectors.ids.length,
      dim: vectors.dim,
    };
  } catch (error) {
    throw explainWriteError(error, to);
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
