/** Notes about rows of an edge file that may be comments or headers. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText, quoteValue, shellWord } from "../../core/text.js";
import { isNumeric } from "../../sniff/check-value.js";
import { readNumbers, readStrings } from "../duckdb.js";
import type { Table } from "../tables/table.js";

export type EdgeTable = Pick<
  Table,
  | "head"
  | "chosen"
  | "names"
  | "header"
  | "firstRow"
  | "commentRow"
  | "rowNames"
  | "from"
  | "isNodeLink"
  | "kind"
  | "dialect"
>;

/** Reports a skipped comment that may be a row, such as `#art,#music` above rows of two names. */
export function commentNotes({ head, commentRow }: EdgeTable): string[] {
  if (commentRow === undefined || !/^[#%]\S/.test(commentRow.text)) return [];
  return [
    `${head.path}: the first lines that begin with # or % are not read, such as ${quoteValue(commentRow.text.slice(0, 60))}. If they are edges, add a header line above them.`,
  ];
}

/** Rows that begin with # or % may be comments only up to this share of all rows; above it they are names. Not tuned. */
const MAX_COMMENTED = 0.1;

/** Reports rows below the first that may be comments, such as `# colleagues`. */
export async function laterCommentNotes(
  connection: DuckDBConnection,
  { head, from, kind }: EdgeTable,
): Promise<string[]> {
  if (kind !== "text") return [];
  const [count, rows] = await readNumbers(
    connection,
    `SELECT count(*) FILTER (c0[1] IN ('#', '%')), count(*) FROM (SELECT trim(c0) AS c0 FROM ${from})`,
  );
  if (count === 0 || count > MAX_COMMENTED * rows) return [];
  const [first] = await readStrings(
    connection,
    `SELECT concat_ws(' ', trim(c0), trim(c1)) FROM ${from} WHERE trim(c0)[1] IN ('#', '%') LIMIT 1`,
  );
  return [
    `${head.path}: ${count === 1 ? "one row begins" : `${count} rows begin`} with # or %, such as ${quoteValue(first.slice(0, 60))}, and ${count === 1 ? "is read as an edge" : "are read as edges"}. If it is a comment, delete it: comments are recognised above the first row only.`,
  ];
}

/** Reports repeated headers between the rows, which appear when files are joined. */
export async function repeatedHeaderNotes(
  connection: DuckDBConnection,
  { head, chosen, names, header, kind, from }: EdgeTable,
): Promise<string[]> {
  if (!header || kind !== "text") return [];
  const isName = ([, index]: readonly [string, number]) =>
    `lower(trim(ltrim(c${index}::VARCHAR, chr(65279)))) = ${quoteText(names[index].trim().toLowerCase())}`;
  const isHeader = [...chosen].filter(([role]) => role !== "weight").map(isName);
  const ends = ["source", "target"].map((role) => quoteText((names[chosen.get(role) ?? 0] ?? "").trim().toLowerCase()));
  // `edges` is searched first, because reading the file again takes longer.
  const [candidates] = await readNumbers(
    connection,
    `SELECT count(*) FROM edges WHERE lower(target) = ${ends[1]} AND suffix(lower(source), ${ends[0]})`,
  );
  if (candidates === 0) return [];
  const [rows] = await readNumbers(connection, `SELECT count(*) FROM ${from} WHERE ${isHeader.join(" AND ")}`);
  if (rows === 0) return [];
  return [
    `${head.path}: ${rows === 1 ? "one row repeats" : `${rows} rows repeat`} the header and ${rows === 1 ? "is read as an edge" : "are read as edges"}. Delete ${rows === 1 ? "it" : "them"} unless nodes have these names.`,
  ];
}

/** Reports a first row of two names that no other edge has: it may be a header with unknown names. */
export async function firstRowNotes(
  connection: DuckDBConnection,
  { head, chosen, firstRow = [] }: EdgeTable,
): Promise<string[]> {
  const header = [...chosen].map(([role, index]) => `${role}=${shellWord(firstRow[index] ?? "")}`).join(",");
  const ends = ["source", "target"].flatMap((role) => firstRow[chosen.get(role) ?? -1] ?? []);
  if (ends.length < 2 || ends.some(isNumeric)) return [];
  const list = ends.map(quoteText).join(", ");
  const [edgesOfEnds, edges] = await readNumbers(
    connection,
    `SELECT count(*) FILTER (source IN (${list}) OR target IN (${list})), count(*) FROM edges`,
  );
  if (edgesOfEnds !== 1 || edges < 3) return [];
  return [
    `${head.path}: the first row, ${ends.join(" and ")}, is read as an edge; no other edge has these endpoints. If it is a header, give --columns ${header}, or begin that line with "# ".`,
  ];
}
