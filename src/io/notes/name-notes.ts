/** What to tell about names of nodes and relations that may not be what they seem. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { NO_VALUES } from "../../core/missing-tokens.js";
import { quotedNames, quoteValue } from "../../core/text.js";
import { quoteText, readNumbers, readStrings } from "../duckdb.js";

/** What names of nodes and relations may mean beside themselves. */
export async function nameNotes(connection: DuckDBConnection): Promise<string[]> {
  const list = NO_VALUES.map(quoteText).join(", ");
  const absent = (column: string) => `(length(${column}) <= 4 AND lower(${column}) IN (${list}))`;
  const [decimal, nodes, relations] = await readNumbers(
    connection,
    "SELECT count(*) FILTER (suffix(source, '.0') OR suffix(target, '.0')), " +
      `count(*) FILTER (${absent("source")} OR ${absent("target")}), count(*) FILTER (${absent("relation")}) FROM edges`,
  );
  const notes = [
    ...(decimal === 0 ? [] : await decimalNotes(connection)),
    ...(await composedNotes(connection)),
    ...(await invisibleNotes(connection)),
    ...(await relationCaseNotes(connection)),
    ...(await spreadsheetNotes(connection)),
  ];
  const ends = "(SELECT source AS name FROM edges UNION ALL SELECT target FROM edges)";
  for (const [rows, what, from] of [
    [nodes, "a node", ends],
    [relations, "a relation", "(SELECT relation AS name FROM edges)"],
  ] as const) {
    if (rows === 0) continue;
    const names = await readStrings(
      connection,
      `SELECT DISTINCT name FROM ${from} WHERE ${absent("name")} ORDER BY name`,
    );
    const called = quotedNames(names, 3);
    notes.push(
      `${called} ${names.length === 1 ? `is read as ${what}` : `are read as ${what.slice(2)}s`} (${rows === 1 ? "one row" : `${rows} rows`}). If ${names.length === 1 ? "it says" : "they say"} that there is none, leave such rows out.`,
    );
  }
  return notes;
}

/** Whole numbers with and without .0, as tables write them whose column has gaps, are two nodes. */
async function decimalNotes(connection: DuckDBConnection): Promise<string[]> {
  const [both, example] = await readNumbers(
    connection,
    "WITH ids AS (SELECT source AS id FROM edges UNION SELECT target FROM edges) " +
      "SELECT count(*), min(try_cast(plain.id AS BIGINT)) FROM ids AS plain JOIN ids ON ids.id = plain.id || '.0' " +
      "WHERE regexp_full_match(plain.id, '[0-9]+')",
  );
  if (both === 0) return [];
  return [
    `ids found with and without .0 (${both}), such as ${example}.0 and ${example}, are different nodes. If they should be the same, write them alike.`,
  ];
}

/** Letters with accents, in one sign or in two: they look the same, and make two nodes. */
async function composedNotes(connection: DuckDBConnection): Promise<string[]> {
  const both = await readStrings(
    connection,
    "WITH ids AS (SELECT source AS id FROM edges UNION SELECT target FROM edges) " +
      "SELECT nfc_normalize(id) FROM ids WHERE strlen(id) <> length(id) GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL",
  );
  if (both.length === 0) return [];
  return [
    `ids written in two ways that look the same (${both.length}), such as ${quoteValue(both[0])}, are different nodes: their accents are letters of their own in one of them. If they should be the same, write them alike (Unicode NFC).`,
  ];
}

/** Signs without width that text from web pages and joined files brings along; joiners, which change letters, are not among them. */
const INVISIBLE = "[\\x{00AD}\\x{200B}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2060}\\x{FEFF}]";

/** Ids that differ only in signs that nobody sees. */
async function invisibleNotes(connection: DuckDBConnection): Promise<string[]> {
  const plain = `regexp_replace(id, '${INVISIBLE}', '', 'g')`;
  const both = await readStrings(
    connection,
    "WITH ids AS (SELECT source AS id FROM edges UNION SELECT target FROM edges), " +
      `marked AS (SELECT ${plain} AS plain FROM ids WHERE strlen(id) <> length(id) AND id <> ${plain}) ` +
      "SELECT plain FROM marked GROUP BY plain HAVING count(*) > 1 OR plain IN (FROM ids) ORDER BY plain",
  );
  if (both.length === 0) return [];
  return [
    `ids that differ only in invisible characters (${both.length}), such as ${quoteValue(both[0])}, are different nodes. If they should be the same, remove these characters (zero-width spaces, direction marks, byte order marks).`,
  ];
}

/** Relations that differ only in case, as people type them. */
async function relationCaseNotes(connection: DuckDBConnection): Promise<string[]> {
  const names = await readStrings(
    connection,
    "WITH names AS (SELECT DISTINCT relation AS name FROM edges) " +
      "SELECT name FROM names QUALIFY count(*) OVER (PARTITION BY lower(name)) > 1 ORDER BY lower(name), name",
  );
  if (names.length === 0) return [];
  return [
    `relations that differ only in case, ${quotedNames(names, 3)}, are different relations. If they should be the same, write them alike.`,
  ];
}

/** Long numbers and names of genes such as MARCH1, as spreadsheets rewrite them. */
const REWRITTEN = "([0-9](\\.[0-9]+)?E\\+[0-9]+|[0-9]{1,2}-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))";

/** Ids that a spreadsheet has rounded or turned into dates, so that different nodes have become the same. */
async function spreadsheetNotes(connection: DuckDBConnection): Promise<string[]> {
  const isLikely = (column: string) =>
    `((contains(${column}, 'E+') OR contains(${column}, '-')) AND length(${column}) < 25)`;
  const ids = await readStrings(
    connection,
    `SELECT DISTINCT id FROM (SELECT source AS id FROM edges WHERE ${isLikely("source")} UNION ALL SELECT target FROM edges WHERE ${isLikely("target")}) ` +
      `WHERE regexp_full_match(id, '${REWRITTEN}') ORDER BY id LIMIT 4`,
  );
  if (ids.length === 0) return [];
  return [
    `ids such as ${quotedNames(ids, 3)} look as if a spreadsheet had rounded long numbers or turned names into dates; different nodes may have become one. If so, export the file again with ids as text.`,
  ];
}
