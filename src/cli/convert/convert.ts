/** `hmge convert`: vectors from one file format to another. */

import { InputError } from "../../core/errors.js";
import { type Command, switchOption, textOption } from "../command.js";

export const convert: Command = {
  name: "convert",
  usage: "IN OUT [options]",
  summary: "write vectors in another format",
  options: [
    { name: "from", value: "FORMAT", doc: "format of IN", default: "by its extension" },
    { name: "to", value: "FORMAT", doc: "format of OUT", default: "by its extension" },
    { name: "overwrite", doc: "replace OUT if it exists" },
  ],
  examples: ["vectors vectors.npy", "vectors/embeddings.parquet vectors.txt --to word2vec"],
  async details() {
    const { embeddingFormats } = await import("../../io/formats/index.js");
    const lines = embeddingFormats.map(({ name, extension, doc }) => {
      return `  ${name.padEnd(9)}  ${`.${extension}`.padEnd(12)}  ${doc}`;
    });
    return ["formats:", ...lines].join("\n");
  },
  async run(given, output) {
    const [from, to, extra] = given.words;
    if (from === undefined || to === undefined || extra !== undefined) {
      throw new InputError(
        `convert: ${given.words.length} names given; expected two, a file or folder to read and a file to write.`,
      );
    }
    const { convertEmbeddings } = await import("./convert-run.js");
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
  },
};
