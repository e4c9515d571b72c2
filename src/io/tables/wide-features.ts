/** Features as a row for each node and a column for each: numbers, or text that is read as categories. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { listCells, quoteValue } from "../../core/text.js";
import { quoteText, readNumbers, readStrings } from "../duckdb.js";
import { chooseByName, LABEL_ROLE, listNames, NODE_ROLES, type Role } from "./columns.js";
import { importTable } from "./import-table.js";
import type { Table } from "./table.js";
import { textColumns, type WideColumn, withMedians } from "./wide-columns.js";

/** What is done with nodes that the file does not name, and with empty cells. */
export const MISSING_FEATURES = ["error", "zero", "median"] as const;
export type MissingFeatures = (typeof MISSING_FEATURES)[number];

export interface WideOptions {
  readonly missing: MissingFeatures;
  /** Of features that were there before, for empty cells; others have their own. */
  readonly medians?: ReadonlyMap<string, number>;
  /** There if labels are read from the same file, with their column where it is named. */
  readonly labels?: { readonly column?: string | number };
  /** Whether these are nodes for features that are known: then categories need not be shared. */
  readonly added?: boolean;
  /** Columns that are known to hold categories, though here their cells may be empty. */
  readonly categories?: ReadonlySet<string>;
}

/** One row per cell of a wide table, into `features`. Returns what a person should know. */
export async function importWide(connection: DuckDBConnection, table: Table, options: WideOptions): Promise<string[]> {
  const node = table.chosen.get("node") ?? 0;
  const labels = labelColumns(table, options.labels);
  const columns = namedColumns(table, node, labels);
  const known = columns.filter(({ name }) => options.categories?.has(name)).map(({ index }) => index);
  const texts = new Set([...known, ...(await textColumns(connection, table, columns))]);
  const categories = columns.filter(({ index }) => texts.has(index));
  const numbers = columns.filter(({ index }) => !texts.has(index));
  const median = options.missing === "median";
  const roles = columns.map(
    ({ name, index }): Role => ({
      name: `f${index}`,
      title: name,
      aliases: [],
      required: true,
      check: texts.has(index) ? "category" : "number",
      optional: median,
      advice: " Fill it in, or take its column's median with --missing-features median.",
      otherwise: " Leave the column out, or make numbers of it, such as the year of a date.",
    }),
  );
  const { from, notes } = median
    ? await withMedians(connection, table, numbers, options.medians ?? new Map())
    : { from: table.from, notes: [] };
  const types = columns.map(({ index }) => `f${index} ${texts.has(index) ? "VARCHAR" : "DOUBLE"}`);
  await connection.run(`CREATE TEMP TABLE wide(node VARCHAR, ${types.join(", ")})`);
  const chosen = new Map([["node", node], ...columns.map(({ index }) => [`f${index}`, index] as const)]);
  await importTable(connection, { ...table, from, chosen }, [...NODE_ROLES, ...roles], "wide");
  await insertNumbers(connection, numbers);
  const told = [...notes, ...(await codeNotes(connection, table, numbers))];
  for (const column of categories) {
    told.push(...(await insertCategory(connection, table.head.path, column, options.added ?? false)));
  }
  await connection.run("DROP TABLE wide");
  if (categories.length > 0) {
    const names = listNames(categories.map(({ name }) => name));
    told.unshift(
      `${table.head.path}: ${names} ${categories.length === 1 ? "holds" : "hold"} text, read as categories.`,
    );
  }
  if (labels.length > 0) {
    const names = listNames(labels.map((index) => table.names[index]));
    const [is, no, which] =
      labels.length === 1 ? ["is", "is no feature", "the column"] : ["are", "are no features", "a column"];
    told.unshift(
      `${table.head.path}: ${names} ${is} taken for labels, which training must not see, and ${no}. Give ${which} another name to make it one.`,
    );
  }
  return told;
}

/** Columns that are called label or class, and where this is the file of labels too, the one that is read as such. */
function labelColumns({ head, names }: Table, labels: WideOptions["labels"]): number[] {
  const role = { ...LABEL_ROLE, required: false };
  const read = labels && chooseByName(head.path, names, [role], { label: labels.column }).get("label");
  return names.flatMap((name, index) => (index === read || /^\s*(label|class)\s*$/i.test(name) ? [index] : []));
}

/** All but the nodes' own and those of labels. */
function namedColumns(table: Table, node: number, labels: readonly number[]): readonly WideColumn[] {
  const columns = table.names
    .map((name, index) => ({ name, index }))
    .filter(({ index }) => index !== node && !labels.includes(index));
  if (columns.length === 0) {
    throw new InputError(
      `${table.head.path}: only a node column${labels.length > 0 ? " and one of labels" : ""}; expected columns of features beside it.`,
    );
  }
  const names = new Set<string>();
  for (const { name, index } of columns) {
    if (name.trim() === "") {
      throw new InputError(
        `${table.head.path}: column ${index + 1} has no name; expected a name for each feature. Row numbers are left out with to_csv(…, index=False).`,
      );
    }
    if (names.has(name))
      throw new InputError(`${table.head.path}: two columns are called ${quoteValue(name)}; expected one.`);
    names.add(name);
  }
  return columns;
}

async function insertNumbers(connection: DuckDBConnection, columns: readonly WideColumn[]): Promise<void> {
  if (columns.length === 0) return;
  const list = columns.map(({ index }) => `f${index}`).join(", ");
  const names = columns.map(({ name, index }) => `('f${index}', ${quoteText(name)})`).join(", ");
  await connection.run(
    `INSERT INTO features SELECT node, name, value FROM (SELECT node, ${list} FROM wide) ` +
      `UNPIVOT (value FOR feature IN (* EXCLUDE node)) JOIN (VALUES ${names}) names(column_name, name) ON feature = column_name`,
  );
}

/** Rows from which codes are told. */
const LOOKED_AT = 1000;
/** Above this, and for more than half of the rows, values are names or sentences. */
const MAX_CATEGORIES = 20;

async function insertCategory(
  connection: DuckDBConnection,
  path: string,
  { name, index }: WideColumn,
  added: boolean,
): Promise<string[]> {
  const column = `f${index}`;
  const [values, rows] = await readNumbers(connection, `SELECT count(DISTINCT ${column}), count(${column}) FROM wide`);
  if (!added && values > MAX_CATEGORIES && values > rows / 2) {
    throw new InputError(
      `${path}: column ${quoteValue(name)} has ${values} different texts in ${rows} rows; expected numbers, or categories that nodes share. Leave the column out.`,
    );
  }
  if (values === 0) return []; // nobody has one, so that there is none to name
  const twice = `SELECT node FROM wide GROUP BY node HAVING count(DISTINCT ${column}) > 1 ORDER BY node LIMIT 1`;
  for (const node of await readStrings(connection, twice)) {
    throw new InputError(
      `${path}: node ${quoteValue(node)} has two values for feature ${quoteValue(name)}; expected one.`,
    );
  }
  // of a node without a value there is none of the category; it is named all the same
  await connection.run(
    `INSERT INTO features SELECT node, ${quoteText(`${name}=`)} || coalesce(${column}, (SELECT min(${column}) FROM wide)), ` +
      `CASE WHEN ${column} IS NULL THEN 0 ELSE 1 END FROM wide`,
  );
  const lists = listCells(
    await readStrings(connection, `SELECT DISTINCT ${column} FROM wide WHERE ${column} IS NOT NULL ORDER BY 1`),
  );
  if (lists.length === 0) return [];
  return [
    `${path}: texts of ${quoteValue(name)} such as ${quoteValue(lists[0])} count as one category each. If they are lists, give rows of node and feature instead.`,
  ];
}

/** Numbers with zeros in front, as those of places, are names and no quantities. */
async function codeNotes(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly WideColumn[],
): Promise<string[]> {
  if (columns.length === 0) return [];
  const isCode = (index: number) => `count_if(regexp_full_match(trim(c${index}::VARCHAR), '0[0-9]+'))`;
  const counts = await readNumbers(
    connection,
    `SELECT ${columns.map(({ index }) => isCode(index)).join(", ")} FROM (FROM ${table.from} LIMIT ${LOOKED_AT})`,
  );
  const codes = columns.filter((_, k) => counts[k] > 0).map(({ name }) => name);
  if (codes.length === 0) return [];
  return [
    `${table.head.path}: ${listNames(codes)} ${codes.length === 1 ? "holds" : "hold"} numbers with zeros in front, read as quantities. If they are codes, put a letter before them.`,
  ];
}
