/** Parts of the SQL queries that notes suggest: names of columns, and the file to read. */

import { quoteText } from "../../core/text.js";
import { quoteName } from "../duckdb.js";
import { inputName, isUnnamed, STANDARD_INPUT } from "../spool.js";
import type { Table } from "../tables/table.js";

/** Names of columns of edges that are SQL keywords and need quotation marks. */
const KEYWORDS = new Set(
  "from to user order group end table column select where in on as all any both desc asc".split(" "),
);

/** The name of a column in a query, in quotation marks if it needs them. */
export function columnName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name.toLowerCase()) ? name : quoteName(name);
}

/** The name of the column at an index in a query that reads the file with `fileSource`. */
export function columnAt({ names, header, kind }: Pick<Table, "names" | "header" | "kind">, index: number): string {
  return header || kind !== "text" ? columnName(names[index]) : `column${index}`;
}

/** A file in the FROM clause of a query. DuckDB recognises text files by their extension only; others need read_csv. */
export function fileSource({
  head,
  kind,
  dialect,
  header,
}: Pick<Table, "head" | "kind" | "dialect" | "header">): string {
  const path = quoteText(isUnnamed(head.path) || head.path === inputName(STANDARD_INPUT) ? "FILE" : head.path);
  if (kind !== "text" || (header && ["csv", "tsv"].includes(head.extension))) return path;
  const delim = { spaces: " ", "\t": "\\t" }[dialect?.delimiter ?? ","] ?? dialect?.delimiter;
  return `read_csv(${path}, delim = '${delim}'${header ? "" : ", header = false"})`;
}
