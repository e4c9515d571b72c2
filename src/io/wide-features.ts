/** Features as a row for each node and a column for each: numbers, or text that is read as categories. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../core/errors.js";
import { listNames, NO_NUMBERS, NODE_ROLES, type Role, sqlNumber, sqlValue } from "./columns.js";
import { quoteText, readNumbers } from "./duckdb.js";
import { importTable } from "./import-table.js";
import type { Table } from "./table.js";

/** What is done with nodes that the file does not name, and with empty cells. */
export type MissingFeatures = "error" | "zero" | "median";

/** A column of a wide table; it is called f and its index in SQL. */
interface Cell {
  readonly name: string;
  readonly index: number;
  readonly category: boolean;
}

/** One row per cell of a wide table, into `features`. Returns what a person should know. */
export async function importWide(
  connection: DuckDBConnection,
  table: Table,
  missing: MissingFeatures,
): Promise<string[]> {
  const node = table.chosen.get("node") ?? 0;
  const named = namedColumns(table, node);
  const all = named.map(({ index }) => index);
  const texts = new Set(await textColumns(connection, table, await textColumns(connection, table, all, FIRST_ROWS)));
  const cells = named.map((cell): Cell => ({ ...cell, category: texts.has(cell.index) }));
  const roles = cells.map(
    ({ name, index, category }): Role => ({
      name: `f${index}`,
      title: name,
      aliases: [],
      required: true,
      check: category ? "category" : "number",
      optional: missing === "median",
      advice: " Fill it in, or take its column's median with --missing-features median.",
    }),
  );
  const categories = cells.filter(({ category }) => category);
  const numbers = cells.filter(({ category }) => !category);
  const filled = missing === "median" ? await withMedians(connection, table, numbers) : { from: table.from, notes: [] };
  const chosen = new Map(cells.map(({ index }) => [`f${index}`, index]));
  await connection.run(
    `CREATE TEMP TABLE wide(node VARCHAR, ${cells.map(({ index, category }) => `f${index} ${category ? "VARCHAR" : "DOUBLE"}`).join(", ")})`,
  );
  const wanted = { ...table, from: filled.from, chosen: chosen.set("node", node) };
  await importTable(connection, wanted, [...NODE_ROLES, ...roles], "wide");
  await insertNumbers(connection, numbers);
  for (const cell of categories) await insertCategory(connection, table.head.path, cell);
  await connection.run("DROP TABLE wide");
  if (categories.length === 0) return filled.notes;
  const names = listNames(categories.map(({ name }) => name));
  const text = `${table.head.path}: ${names} ${categories.length === 1 ? "holds" : "hold"} text, read as categories.`;
  return [text, ...filled.notes];
}

/** The table with the median of its column in each cell that has no number. */
async function withMedians(
  connection: DuckDBConnection,
  table: Table,
  cells: readonly Cell[],
): Promise<{ from: string; notes: string[] }> {
  const typed = table.kind === "parquet";
  const none = NO_NUMBERS.map(quoteText).join(", ");
  const empty = (index: number) =>
    typed
      ? `(c${index} IS NULL OR isnan(TRY_CAST(c${index} AS DOUBLE)))`
      : `(c${index} IS NULL OR lower(trim(c${index})) IN (${none}))`;
  let found: number[];
  try {
    const asked = cells.flatMap(({ index }) => {
      const number = sqlNumber({ name: "cell", aliases: [], required: true, check: "number" }, `c${index}`, typed);
      return [`count_if(${empty(index)})`, `count(${number})`, `median(${number})`];
    });
    found = asked.length === 0 ? [] : await readNumbers(connection, `SELECT ${asked.join(", ")} FROM ${table.from}`);
  } catch {
    return { from: table.from, notes: [] }; // the import meets the same fault, and says where it is
  }
  const short = cells.filter((_, at) => found[3 * at] > 0);
  if (short.length === 0) return { from: table.from, notes: [] };
  const bare = cells.find((cell, at) => short.includes(cell) && found[3 * at + 1] === 0);
  if (bare !== undefined) {
    throw new InputError(
      `${table.head.path}: column ${JSON.stringify(bare.name)} has no number; expected at least one. Leave the column out.`,
    );
  }
  const medians = new Map(cells.map(({ index }, at) => [index, found[3 * at + 2]]));
  const columns = table.names.map((_, index) =>
    short.some((cell) => cell.index === index)
      ? `CASE WHEN ${empty(index)} THEN ${typed ? medians.get(index) : quoteText(String(medians.get(index)))} ELSE c${index} END AS c${index}`
      : `c${index}`,
  );
  const count = cells.reduce((sum, _, at) => sum + found[3 * at], 0);
  const names = listNames(short.map(({ name }) => name));
  return {
    from: `(SELECT ${columns.join(", ")} FROM ${table.from})`,
    notes: [`${table.head.path}: ${count} empty cells of ${names} are read as the median of their column.`],
  };
}

/** All but the nodes' own. */
function namedColumns(table: Table, node: number): { name: string; index: number }[] {
  const columns = table.names.map((name, index) => ({ name, index })).filter(({ index }) => index !== node);
  if (columns.length === 0) {
    throw new InputError(`${table.head.path}: only a node column; expected columns of features beside it.`);
  }
  const names = new Set<string>();
  for (const { name, index } of columns) {
    if (name.trim() === "") {
      throw new InputError(
        `${table.head.path}: column ${index + 1} has no name; expected a name for each feature. Row numbers are left out with to_csv(…, index=False).`,
      );
    }
    if (names.has(name))
      throw new InputError(`${table.head.path}: two columns are called ${JSON.stringify(name)}; expected one.`);
    names.add(name);
  }
  return columns;
}

/** Looked at before the whole table is: a column with a number among them is none of text. */
const FIRST_ROWS = 1000;

/** Those without a single number that hold words; a column of both is a mistake somewhere. */
async function textColumns(
  connection: DuckDBConnection,
  table: Table,
  indices: readonly number[],
  rows?: number,
): Promise<readonly number[]> {
  if (indices.length === 0) return [];
  const typed = table.kind === "parquet";
  const missing = [...NO_NUMBERS, "inf", "infinity"].map(quoteText).join(", ");
  const counts = indices.flatMap((index) => {
    const [number, text] = (["number", "category"] as const).map((check) =>
      sqlValue({ name: "cell", aliases: [], required: true, check }, `c${index}`, typed),
    );
    return [`count(${number})`, `count_if(regexp_matches(${text}, '\\p{L}') AND lower(${text}) NOT IN (${missing}))`];
  });
  let found: number[];
  try {
    const from = rows === undefined ? table.from : `(SELECT * FROM ${table.from} LIMIT ${rows})`;
    found = await readNumbers(connection, `SELECT ${counts.join(", ")} FROM ${from}`);
  } catch {
    return []; // the import meets the same fault, and says where it is
  }
  return indices.filter((_, at) => found[2 * at] === 0 && found[2 * at + 1] > 0);
}

async function insertNumbers(connection: DuckDBConnection, cells: readonly Cell[]): Promise<void> {
  if (cells.length === 0) return;
  const columns = cells.map(({ index }) => `f${index}`).join(", ");
  const names = cells.map(({ name, index }) => `('f${index}', ${quoteText(name)})`).join(", ");
  await connection.run(
    `INSERT INTO features SELECT node, name, value FROM (SELECT node, ${columns} FROM wide) ` +
      `UNPIVOT (value FOR feature IN (* EXCLUDE node)) JOIN (VALUES ${names}) names(column_name, name) ON feature = column_name`,
  );
}

/** Above this, and for more than half of the rows, values are names or sentences. */
const MOST_CATEGORIES = 20;

async function insertCategory(connection: DuckDBConnection, path: string, { name, index }: Cell): Promise<void> {
  const column = `f${index}`;
  const [values, rows] = await readNumbers(connection, `SELECT count(DISTINCT ${column}), count(${column}) FROM wide`);
  if (values > MOST_CATEGORIES && values > rows / 2) {
    throw new InputError(
      `${path}: column ${JSON.stringify(name)} has ${values} different texts in ${rows} rows; expected numbers, or categories that nodes share. Leave the column out.`,
    );
  }
  await connection.run(
    `INSERT INTO features SELECT node, ${quoteText(`${name}=`)} || ${column}, 1 FROM wide WHERE ${column} IS NOT NULL`,
  );
}
