/** The two files of the TensorFlow Embedding Projector: vectors and metadata, tab-separated, without headers. */

import { InputError } from "../../core/errors.js";
import { vectorText } from "../../core/vector-text.js";
import { RowScanner } from "../../sniff/row-scanner.js";
import { writeAllAtomically } from "../atomic-write.js";
import { readLines, readText } from "../file-head.js";
import { readInput, requireFile } from "../read-input.js";
import { VectorCollector } from "./delimited.js";
import { companion, defineFormat, refuseIds, vectorTexts } from "./format.js";

export const projector = defineFormat({
  name: "projector",
  extension: "vectors.tsv",
  doc: "NAME.vectors.tsv and NAME.metadata.tsv for the Embedding Projector; ids must not contain tabs or line breaks",
  checkIds: (ids) => refuseIds(ids, /[\t\r\n]/, "projector", "tabs or line breaks"),
  async write(path, source) {
    const { ids, dim } = source;
    this.checkIds?.(ids);
    const lines = vectorTexts(source, (vectors, row) => `${vectorText(vectors, row, dim, "\t").slice(1)}\n`);
    const metadata = metadataPath(path);
    await writeAllAtomically([
      { path, content: lines },
      { path: metadata, content: ids.map((id) => `${id}\n`) },
    ]);
    return [path, metadata];
  },
  async read(path, store) {
    await requireFile(path);
    const metadata = metadataPath(path);
    const ids = readLines(await readInput(metadata), metadata);
    const scanner = new RowScanner({ delimiter: "\t", skipLines: 0 });
    const collector = new VectorCollector(path, false, store);
    let rows = 0;
    const take = (scanned: ReturnType<RowScanner["push"]>) => {
      for (const row of scanned) collector.add({ ...row, fields: [ids[rows++] ?? "", ...row.fields] });
    };
    for await (const text of readText({ path, file: path, gzip: false })) take(scanner.push(text));
    take(scanner.end());
    if (rows !== ids.length) {
      throw new InputError(
        `${metadata}: ${ids.length} ids for ${rows} vectors; expected one id per vector. A file may be cut off.`,
      );
    }
    return collector.finish();
  },
});

function metadataPath(path: string): string {
  return path.endsWith("vectors.tsv") ? companion(path, "vectors.tsv", "metadata.tsv") : `${path}.metadata.tsv`;
}
