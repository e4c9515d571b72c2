/** KONECT files, whose first line declares their columns: `% sym positive` above source, target, weight and time. */

import { InputError } from "../../core/errors.js";
import { quoteText, shellQuery } from "../../core/text.js";
import type { ScannedRow } from "../row-scanner.js";
import type { TextHead } from "../text-head.js";

const KONECT = /^%\s*(sym|asym|bip)\s+\w+\s*$/m;

/** The roles of the columns in order; undefined unless the first line is KONECT's. The error for bipartite files suggests a query. */
export function konectOrder({ path, text }: TextHead, { fields }: ScannedRow, delimiter: string): string[] | undefined {
  const [line, kind] = KONECT.exec(text.slice(0, text.indexOf("\n") + 1)) ?? [];
  if (line === undefined) return undefined;
  if (kind === "bip") {
    const weight = fields.length > 2 ? ", column2 AS weight" : "";
    const delim = delimiter === "\t" ? "\\t" : " ";
    const query = `SELECT 'a' || column0 AS source, 'b' || column1 AS target${weight} FROM read_csv(${quoteText(path)}, delim = '${delim}', comment = '%', header = false, all_varchar = true, null_padding = true)`;
    throw new InputError(
      `${path}: "${line.trim()}" declares two kinds of nodes that are numbered separately; expected an id for one node only. Give the kinds different ids: --sql ${shellQuery(query)}.`,
    );
  }
  return ["source", "target", "weight"].slice(0, fields.length);
}
