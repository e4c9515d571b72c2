/** CSV with a header: node, v1, v2, … */

import { writeAtomically } from "../atomic-write.js";
import { readTable, tableLines } from "./delimited.js";
import { defineFormat } from "./format.js";

export const csv = defineFormat({
  name: "csv",
  extension: "csv",
  doc: "CSV with a header: node, v1, v2, …; fields quoted where they must be",
  async write(path, embedding) {
    await writeAtomically(path, tableLines(embedding, ","));
    return [path];
  },
  read: (path) => readTable(path, ",", true),
});
