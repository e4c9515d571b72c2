/** `hmge convert`: vectors from one file format to another. */

import { InputError } from "../../core/errors.js";
import { type Arguments, type Command, switchOption, textOption } from "../command.js";
import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { formatByName, formatByPath, readEmbeddings, readUnique, writeEmbeddings } from "../../io/formats/write-embeddings.js";
import { inWords } from "../../io/system-faults.js";
import { embeddingFormats } from "../../io/formats/index.js";
import type { Output } from "../terminal/output.js";

export const convert: Command = {
  usage: "IN OUT [options]",
  options: [
    { name: "from", value: "FORMAT", doc: "format of IN", default: "by its extension" },
    { name: "to", value: "FORMAT", doc: "format of OUT", default: "by its extension" },
    { name: "overwrite", doc: "replace OUT if it exists" },
  ],
  examples: ["vectors vectors.npy", "vectors/embeddings.parquet vectors.txt --to word2vec"],
  async details() {
    const lines = embeddingFormats.map(({ name, extension, doc }) => {
      return `  ${name.padEnd(9)}  ${`.${extension}`.padEnd(12)}  ${doc}`;
    });
    return ["formats:", ...lines].join("\n");
  },
  run: runConvert,
};

async function runConvert(given: Arguments, output: Output): Promise<number> {
  const [from, to, extra] = given.words;
  if (from === undefined || to === undefined || extra !== undefined) {
    throw new InputError(
      `convert: ${given.words.length} names given; expected two, a file or folder to read and a file to write.`,
    );
  }
  const result = await convertEmbeddings({
    from,
    to,
    fromFormat: textOption(given, "from"),
    toFormat: textOption(given, "to"),
    overwrite: switchOption(given, "overwrite"),
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

/** Some formats are several files; they appear together, and none replaces another unasked. */
async function convertEmbeddings({ from, to, fromFormat, toFormat, overwrite }: Conversion) {
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
