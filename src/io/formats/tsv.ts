/** TSV with a header: node, v1, v2, … */

import { writeAtomically } from "../atomic-write.js";
import { readTable, tableLines } from "./delimited.js";
import { defineFormat } from "./format.js";

export const tsv = defineFormat({
  name: "tsv",
  extension: "tsv",
  doc: "TSV with a header: node, v1, v2, …; fields quoted where they must be",
  async write(path, embedding) {
    await writeAtomically(path, tableLines(embedding, "\t"));
    return [path];
  },
  read: (path) => readTable(path, "\t", true),
});
