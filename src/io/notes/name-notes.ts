/** Notes about names of nodes and relations that are probably mistakes, such as two spellings of one id. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { MISSING_TOKENS } from "../../core/missing-tokens.js";
import { quotedNames, quoteText, quoteValue } from "../../core/text.js";
import { readNumbers, readStrings } from "../duckdb.js";

/** Notes about the names in `edges`. */
export async function nameNotes(connection: DuckDBConnection): Promise<string[]> {
  const list = MISSING_TOKENS.map(quoteText).join(", ");
  const isMissing = (column: string) => `(length(${column}) <= 4 AND lower(${column}) IN (${list}))`;
  const [decimal, nodes, relations] = await readNumbers(
    connection,
    "SELECT count(*) FILTER (suffix(source, '.0') OR suffix(target, '.0')), " +
      `count(*) FILTER (${isMissing("source")} OR ${isMissing("target")}), count(*) FILTER (${isMissing("relation")}) FROM edges`,
  );
  const notes = [
    ...(decimal === 0 ? [] : await decimalNotes(connection)),
    ...(await unicodeFormNotes(connection)),
    ...(await invisibleNotes(connection)),
    ...(await relationCaseNotes(connection)),
    ...(await spreadsheetNotes(connection)),
  ];
  const endpoints = "(SELECT source AS name FROM edges UNION ALL SELECT target FROM edges)";
  for (const [rows, kind, from] of [
    [nodes, "a node", endpoints],
    [relations, "a relation", "(SELECT relation AS name FROM edges)"],
  ] as const) {
    if (rows === 0) continue;
    const names = await readStrings(
      connection,
      `SELECT DISTINCT name FROM ${from} WHERE ${isMissing("name")} ORDER BY name`,
    );
    const [reading, condition] =
      names.length === 1 ? [`is read as ${kind}`, "it means"] : [`are read as ${kind.slice(2)}s`, "they mean"];
    notes.push(
      `${quotedNames(names, 3)} ${reading} (${rows === 1 ? "one row" : `${rows} rows`}). If ${condition} a missing value, remove these rows.`,
    );
  }
  return notes;
}

/**
 * Reports whole numbers that occur with and without .0: they are different nodes. Programs such as pandas write .0 if a column
 * has missing values.
 */
async function decimalNotes(connection: DuckDBConnection): Promise<string[]> {
  const [count, example] = await readNumbers(
    connection,
    "WITH ids AS (SELECT source AS id FROM edges UNION SELECT target FROM edges) " +
      "SELECT count(*), min(try_cast(plain.id AS BIGINT)) FROM ids AS plain JOIN ids ON ids.id = plain.id || '.0' " +
      "WHERE regexp_full_match(plain.id, '[0-9]+')",
  );
  if (count === 0) return [];
  return [
    `ids that occur with and without .0 (${count}), such as ${example}.0 and ${example}, are different nodes. If they should be the same, write them the same way.`,
  ];
}

/** Reports ids that look the same but differ in Unicode form: an accented letter may be one character or two. */
async function unicodeFormNotes(connection: DuckDBConnection): Promise<string[]> {
  const ids = await readStrings(
    connection,
    "WITH ids AS (SELECT source AS id FROM edges UNION SELECT target FROM edges) " +
      "SELECT nfc_normalize(id) FROM ids WHERE strlen(id) <> length(id) GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL",
  );
  if (ids.length === 0) return [];
  return [
    `ids that look the same but are encoded in two ways (${ids.length}), such as ${quoteValue(ids[0])}, are different nodes: an accented letter can be one character or two. If they should be the same, normalise them (Unicode NFC).`,
  ];
}

/**
 * Invisible characters that occur in text from web pages and concatenated files. Zero-width joiners are not included, because
 * they change how the letters around them are displayed.
 */
const INVISIBLE = "[\\x{00AD}\\x{200B}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2060}\\x{FEFF}]";

/** Reports ids that differ only in invisible characters. */
async function invisibleNotes(connection: DuckDBConnection): Promise<string[]> {
  const plain = `regexp_replace(id, '${INVISIBLE}', '', 'g')`;
  const ids = await readStrings(
    connection,
    "WITH ids AS (SELECT source AS id FROM edges UNION SELECT target FROM edges), " +
      `marked AS (SELECT ${plain} AS plain FROM ids WHERE strlen(id) <> length(id) AND id <> ${plain}) ` +
      "SELECT plain FROM marked GROUP BY plain HAVING count(*) > 1 OR plain IN (FROM ids) ORDER BY plain",
  );
  if (ids.length === 0) return [];
  return [
    `ids that differ only in invisible characters (${ids.length}), such as ${quoteValue(ids[0])}, are different nodes. If they should be the same, remove these characters (zero-width spaces, direction marks, byte order marks).`,
  ];
}

/** Reports relations that differ only in upper and lower case. */
async function relationCaseNotes(connection: DuckDBConnection): Promise<string[]> {
  const names = await readStrings(
    connection,
    "WITH names AS (SELECT DISTINCT relation AS name FROM edges) " +
      "SELECT name FROM names QUALIFY count(*) OVER (PARTITION BY lower(name)) > 1 ORDER BY lower(name), name",
  );
  if (names.length === 0) return [];
  return [
    `relations that differ only in case, ${quotedNames(names, 3)}, are different relations. If they should be the same, write them the same way.`,
  ];
}

/** Ids that a spreadsheet has changed: a long number became 1.2E+15, or a gene name such as MARCH1 became 1-Mar. */
const SPREADSHEET_DAMAGE = "([0-9](\\.[0-9]+)?E\\+[0-9]+|[0-9]{1,2}-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))";

/** Reports ids that a spreadsheet has rounded or turned into dates: different nodes may have become the same. */
async function spreadsheetNotes(connection: DuckDBConnection): Promise<string[]> {
  const isCandidate = (column: string) =>
    `((contains(${column}, 'E+') OR contains(${column}, '-')) AND length(${column}) < 25)`;
  const ids = await readStrings(
    connection,
    `SELECT DISTINCT id FROM (SELECT source AS id FROM edges WHERE ${isCandidate("source")} UNION ALL SELECT target FROM edges WHERE ${isCandidate("target")}) ` +
      `WHERE regexp_full_match(id, '${SPREADSHEET_DAMAGE}') ORDER BY id LIMIT 4`,
  );
  if (ids.length === 0) return [];
  return [
    `ids such as ${quotedNames(ids, 3)} look as if a spreadsheet had rounded long numbers or turned names into dates. Different nodes may have become one; if so, export the file again with ids as text.`,
  ];
}
