/** What to report about rows of a file of edges that may be comments or headers. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteValue, shellWord } from "../../core/text.js";
import { quoteText, readNumbers, readStrings } from "../duckdb.js";
import { isNumeric } from "../tables/columns.js";
import type { Table } from "../tables/table.js";

export type EdgeTable = Pick<
  Table,
  "head" | "chosen" | "names" | "header" | "firstRow" | "commented" | "from" | "oneObject" | "kind" | "dialect"
>;

/** `#art,#music` above rows of two names. */
export function commentNotes({ head, commented }: EdgeTable): string[] {
  if (commented === undefined || !/^[#%]\S/.test(commented.text)) return [];
  return [
    `${head.path}: lines at its top that begin with # or % are not read, such as ${quoteValue(commented.text.slice(0, 60))}. If they are edges, put a header line in front.`,
  ];
}

/** Of rows that are edges no more than this share begins with # or % by chance. */
const MAX_COMMENTED = 0.1;

/** `# colleagues` between rows: the one sign that these are comments is that they are few. */
export async function laterCommentNotes(
  connection: DuckDBConnection,
  { head, from, kind }: EdgeTable,
): Promise<string[]> {
  if (kind !== "text") return [];
  const [few, rows] = await readNumbers(
    connection,
    `SELECT count(*) FILTER (c0[1] IN ('#', '%')), count(*) FROM (SELECT trim(c0) AS c0 FROM ${from})`,
  );
  if (few === 0 || few > MAX_COMMENTED * rows) return [];
  const [first] = await readStrings(
    connection,
    `SELECT concat_ws(' ', trim(c0), trim(c1)) FROM ${from} WHERE trim(c0)[1] IN ('#', '%') LIMIT 1`,
  );
  return [
    `${head.path}: ${few === 1 ? "one row begins" : `${few} rows begin`} with # or %, such as ${quoteValue(first.slice(0, 60))}, and ${few === 1 ? "is" : "are"} read as ${few === 1 ? "an edge" : "edges"}. If that is a comment, take it out: comments are left out above the first row only.`,
  ];
}

/** The header again between the rows, as where files were joined. */
export async function repeatedHeaderNotes(
  connection: DuckDBConnection,
  { head, chosen, names, header, kind, from }: EdgeTable,
): Promise<string[]> {
  if (!header || kind !== "text") return [];
  const isName = ([, index]: readonly [string, number]) =>
    `lower(trim(ltrim(c${index}::VARCHAR, chr(65279)))) = ${quoteText(names[index].trim().toLowerCase())}`;
  const isHeader = [...chosen].filter(([role]) => role !== "weight").map(isName);
  const ends = ["source", "target"].map((role) => quoteText((names[chosen.get(role) ?? 0] ?? "").trim().toLowerCase()));
  // the table of edges is searched first: reading a file again takes longer
  const [likely] = await readNumbers(
    connection,
    `SELECT count(*) FROM edges WHERE lower(target) = ${ends[1]} AND suffix(lower(source), ${ends[0]})`,
  );
  if (likely === 0) return [];
  const [rows] = await readNumbers(connection, `SELECT count(*) FROM ${from} WHERE ${isHeader.join(" AND ")}`);
  if (rows === 0) return [];
  return [
    `${head.path}: ${rows === 1 ? "one row repeats" : `${rows} rows repeat`} the header, as where files were joined, and ${rows === 1 ? "is read as an edge" : "are read as edges"}. Delete ${rows === 1 ? "it" : "them"} unless nodes have these names.`,
  ];
}

/** A first row of two names that no other edge has may be a header of unknown names. */
export async function firstRowNotes(
  connection: DuckDBConnection,
  { head, chosen, firstRow = [] }: EdgeTable,
): Promise<string[]> {
  const header = [...chosen].map(([role, index]) => `${role}=${shellWord(firstRow[index] ?? "")}`).join(",");
  const ends = ["source", "target"].flatMap((role) => firstRow[chosen.get(role) ?? -1] ?? []);
  if (ends.length < 2 || ends.some(isNumeric)) return [];
  const list = ends.map(quoteText).join(", ");
  const [touching, all] = await readNumbers(
    connection,
    `SELECT count(*) FILTER (source IN (${list}) OR target IN (${list})), count(*) FROM edges`,
  );
  if (touching !== 1 || all < 3) return [];
  return [
    `${head.path}: its first row, ${ends.join(" and ")}, is read as an edge, though no other has these ends. If it is a header, give --columns ${header}.`,
  ];
}
