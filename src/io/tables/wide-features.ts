/** Imports features in wide form: a row per node and a column per feature, of numbers, or of text that is read as categories. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { listCells, quoteText, quoteValue } from "../../core/text.js";
import { chooseByName, listNames } from "../../sniff/choose-columns.js";
import { LABEL_ROLE, NODE_ROLES, type Role } from "../../sniff/column-roles.js";
import { readNumbers, readStrings } from "../duckdb.js";
import { importTable } from "./import-table.js";
import type { Table } from "./table.js";
import { textColumns, type WideColumn, withMedians } from "./wide-columns.js";

/** Treatment of nodes without a row and of empty cells; see LoadOptions.missingFeatures. */
export const MISSING_FEATURES = ["error", "zero", "median"] as const;
export type MissingFeatures = (typeof MISSING_FEATURES)[number];

export interface WideOptions {
  readonly missing: MissingFeatures;
  /** Medians of the training, by feature name, that fill empty cells. Other columns use their own median. */
  readonly medians?: ReadonlyMap<string, number>;
  /** Set if labels are read from the same file, with their column if the user named it. */
  readonly labels?: { readonly column?: string | number };
  /** Whether the rows are new nodes for a trained model. Then the values of a category need not be shared by several nodes. */
  readonly newNodes?: boolean;
  /** Columns that hold categories in the training, even if all their cells are empty here. */
  readonly categories?: ReadonlySet<string>;
}

/** Inserts one row per cell of a wide table into the DuckDB table `features`. Returns notes for the user. */
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
      allowMissing: median,
      missingAdvice: " Fill it in, or use the median of its column with --missing-features median.",
      invalidAdvice: " Remove the column, or convert it to numbers, such as the year of a date.",
    }),
  );
  const { from, notes: medianNotes } = median
    ? await withMedians(connection, table, numbers, options.medians ?? new Map())
    : { from: table.from, notes: [] };
  const types = columns.map(({ index }) => `f${index} ${texts.has(index) ? "VARCHAR" : "DOUBLE"}`);
  await connection.run(`CREATE TEMP TABLE wide(node VARCHAR, ${types.join(", ")})`);
  const chosen = new Map([["node", node], ...columns.map(({ index }) => [`f${index}`, index] as const)]);
  await importTable(connection, { ...table, from, chosen }, [...NODE_ROLES, ...roles], "wide");
  await insertNumbers(connection, numbers);
  const notes = [...medianNotes, ...(await codeNotes(connection, table, numbers))];
  for (const column of categories) {
    notes.push(...(await insertCategory(connection, table.head.path, column, options.newNodes ?? false)));
  }
  await connection.run("DROP TABLE wide");
  if (categories.length > 0) {
    const names = listNames(categories.map(({ name }) => name));
    notes.unshift(
      `${table.head.path}: ${names} ${categories.length === 1 ? "holds" : "hold"} text and ${categories.length === 1 ? "is" : "are"} read as categories.`,
    );
  }
  if (labels.length > 0) {
    const names = listNames(labels.map((index) => table.names[index]));
    const [is, which] = labels.length === 1 ? ["is", "the column"] : ["are", "a column"];
    notes.unshift(
      `${table.head.path}: ${names} ${is} not used as features: they look like labels, which training must not see. To use ${which} as a feature, rename it.`,
    );
  }
  return notes;
}

/** Indices of columns called label or class and, if labels are read from this file, of their column. */
function labelColumns({ head, names }: Table, labels: WideOptions["labels"]): number[] {
  const role = { ...LABEL_ROLE, required: false };
  const read = labels && chooseByName(head.path, names, [role], { label: labels.column }).get("label");
  return names.flatMap((name, index) => (index === read || /^\s*(label|class)\s*$/i.test(name) ? [index] : []));
}

/** All columns except the nodes and the labels. Throws if a column has no name, or two have the same. */
function namedColumns(table: Table, node: number, labels: readonly number[]): readonly WideColumn[] {
  const columns = table.names
    .map((name, index) => ({ name, index }))
    .filter(({ index }) => index !== node && !labels.includes(index));
  if (columns.length === 0) {
    throw new InputError(
      `${table.head.path}: only a node column${labels.length > 0 ? " and a column of labels" : ""}; expected columns of features too.`,
    );
  }
  const names = new Set<string>();
  for (const { name, index } of columns) {
    if (name.trim() === "") {
      throw new InputError(
        `${table.head.path}: column ${index + 1} has no name; expected a name for each feature. pandas writes no row numbers with to_csv(…, index=False).`,
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

/** Number of rows that are searched for codes; not tuned. */
const SAMPLE_ROWS = 1000;
/** Texts are names or sentences, not categories, if there are more different ones than this and than half of the rows; not tuned. */
const MAX_CATEGORIES = 20;

async function insertCategory(
  connection: DuckDBConnection,
  path: string,
  { name, index }: WideColumn,
  newNodes: boolean,
): Promise<string[]> {
  const column = `f${index}`;
  const [values, rows] = await readNumbers(connection, `SELECT count(DISTINCT ${column}), count(${column}) FROM wide`);
  if (!newNodes && values > MAX_CATEGORIES && values > rows / 2) {
    throw new InputError(
      `${path}: column ${quoteValue(name)} has ${values} different texts in ${rows} rows; expected numbers, or categories that nodes share. Remove the column.`,
    );
  }
  if (values === 0) return []; // No node has a value, so there is no feature.
  const twice = `SELECT node FROM wide GROUP BY node HAVING count(DISTINCT ${column}) > 1 ORDER BY node LIMIT 1`;
  for (const node of await readStrings(connection, twice)) {
    throw new InputError(
      `${path}: node ${quoteValue(node)} has two values for feature ${quoteValue(name)}; expected one.`,
    );
  }
  // A node without a value gets a 0, so that it still counts as a node with a row.
  await connection.run(
    `INSERT INTO features SELECT node, ${quoteText(`${name}=`)} || coalesce(${column}, (SELECT min(${column}) FROM wide)), ` +
      `CASE WHEN ${column} IS NULL THEN 0 ELSE 1 END FROM wide`,
  );
  const lists = listCells(
    await readStrings(connection, `SELECT DISTINCT ${column} FROM wide WHERE ${column} IS NOT NULL ORDER BY 1`),
  );
  if (lists.length === 0) return [];
  return [
    `${path}: each text of ${quoteValue(name)}, such as ${quoteValue(lists[0])}, is one category. If they are lists, give one row per node and feature instead.`,
  ];
}

/** Reports numbers with leading zeros, such as postal codes: they are names, not quantities. */
async function codeNotes(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly WideColumn[],
): Promise<string[]> {
  if (columns.length === 0) return [];
  const isCode = (index: number) => `count_if(regexp_full_match(trim(c${index}::VARCHAR), '0[0-9]+'))`;
  const counts = await readNumbers(
    connection,
    `SELECT ${columns.map(({ index }) => isCode(index)).join(", ")} FROM (FROM ${table.from} LIMIT ${SAMPLE_ROWS})`,
  );
  const codes = columns.filter((_, k) => counts[k] > 0).map(({ name }) => name);
  if (codes.length === 0) return [];
  return [
    `${table.head.path}: ${listNames(codes)} ${codes.length === 1 ? "holds" : "hold"} numbers with leading zeros, read as quantities. If they are codes, put a letter before them.`,
  ];
}
