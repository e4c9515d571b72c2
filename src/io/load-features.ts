/**
 * Features of nodes: long form (node, feature, value?) or wide form (a node column, every other column a number or a
 * category). A category is a feature for each of its values, named column=value.
 */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../core/errors.js";
import type { FeatureMatrix } from "../graph/multiplex.js";
import { compareNatural } from "../graph/natural-order.js";
import { type CodedIds, readColumns, requireKnownIds } from "./code-ids.js";
import {
  type ChosenColumns,
  chooseByName,
  FEATURE_ROLES,
  findAlias,
  listNames,
  NODE_ROLES,
  type Role,
  sqlValue,
} from "./columns.js";
import { quoteText, readNumbers, readStrings } from "./duckdb.js";
import { importTable } from "./import-table.js";
import { openTable, type Table } from "./table.js";

/** Reads a feature file into the table `features(node, feature, value)`. Returns what a person should know. */
export async function importFeatures(connection: DuckDBConnection, path: string): Promise<string[]> {
  await connection.run("CREATE TEMP TABLE features(node VARCHAR, feature VARCHAR, value DOUBLE)");
  const choose = (where: string, names: readonly string[]): ChosenColumns =>
    findAlias(FEATURE_ROLES[1], names) >= 0
      ? chooseByName(where, names, FEATURE_ROLES)
      : chooseByName(where, names, NODE_ROLES);
  const table = await openTable(connection, path, { roles: FEATURE_ROLES, choose });
  if (!table.chosen.has("feature")) return importWide(connection, table);
  await importTable(connection, table, FEATURE_ROLES, "features", { value: "1" });
  return [];
}

/** A column of a wide table; it is called f and its index in SQL. */
interface Cell {
  readonly name: string;
  readonly index: number;
  readonly category: boolean;
}

/** One row per cell of a wide table. */
async function importWide(connection: DuckDBConnection, table: Table): Promise<string[]> {
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
    }),
  );
  const chosen = new Map(cells.map(({ index }) => [`f${index}`, index]));
  await connection.run(
    `CREATE TEMP TABLE wide(node VARCHAR, ${cells.map(({ index, category }) => `f${index} ${category ? "VARCHAR" : "DOUBLE"}`).join(", ")})`,
  );
  await importTable(connection, { ...table, chosen: chosen.set("node", node) }, [...NODE_ROLES, ...roles], "wide");
  const categories = cells.filter(({ category }) => category);
  const numbers = cells.filter(({ category }) => !category);
  await insertNumbers(connection, numbers);
  for (const cell of categories) await insertCategory(connection, table.head.path, cell);
  await connection.run("DROP TABLE wide");
  if (categories.length === 0) return [];
  const names = listNames(categories.map(({ name }) => name));
  return [`${table.head.path}: ${names} ${categories.length === 1 ? "holds" : "hold"} text, read as categories.`];
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
/** Words that stand for a number that is not there. */
const NO_NUMBERS = ["nan", "na", "n/a", "null", "none", "inf", "infinity"];

/** Those without a single number that hold words; a column of both is a mistake somewhere. */
async function textColumns(
  connection: DuckDBConnection,
  table: Table,
  indices: readonly number[],
  rows?: number,
): Promise<readonly number[]> {
  if (indices.length === 0) return [];
  const typed = table.kind === "parquet";
  const missing = NO_NUMBERS.map(quoteText).join(", ");
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

/** The matrix of the imported features over the coded ids. */
export async function buildFeatures(
  connection: DuckDBConnection,
  path: string,
  { ids, place }: CodedIds,
  missing: "error" | "zero",
): Promise<FeatureMatrix> {
  await requireKnownIds(connection, "features", path);
  if (missing === "error") await requireAllNodes(connection, path);
  const names = (await readStrings(connection, "SELECT DISTINCT feature FROM features")).sort(compareNatural);
  await connection.run("CREATE TEMP TABLE feature_names(name VARCHAR, code UINTEGER)");
  const appender = await connection.createAppender("feature_names");
  names.forEach((name, code) => {
    appender.appendVarchar(name);
    appender.appendUInteger(code);
    appender.endRow();
  });
  appender.closeSync();
  const repeats = await connection.runAndReadAll(
    "SELECT node, feature FROM features GROUP BY ALL HAVING count(DISTINCT value) > 1 ORDER BY ALL LIMIT 1",
  );
  for (const [node, feature] of repeats.getRows()) {
    throw new InputError(
      `${path}: node ${JSON.stringify(node)} has two values for feature ${JSON.stringify(feature)}; expected one.`,
    );
  }
  const kept = "SELECT DISTINCT node, feature, value FROM features WHERE value <> 0";
  const [count] = await readNumbers(connection, `SELECT count(*) FROM (${kept})`);
  const nodes = new Uint32Array(count);
  const columns = new Uint32Array(count);
  const values = new Float64Array(count);
  await readColumns(
    connection,
    `SELECT ids.rowid::UINTEGER, code, value FROM (${kept}) JOIN ids ON id = node JOIN feature_names ON name = feature`,
    [nodes, columns, values],
  );
  await connection.run("DROP TABLE features; DROP TABLE feature_names");
  if (place !== undefined) for (let i = 0; i < count; i++) nodes[i] = place[nodes[i]];
  return toMatrix(names, ids.length, nodes, columns, values);
}

async function requireAllNodes(connection: DuckDBConnection, path: string): Promise<void> {
  const [count] = await readNumbers(connection, "SELECT count(*) FROM ids ANTI JOIN features ON id = node");
  if (count === 0) return;
  const bare = await readStrings(connection, "SELECT id FROM ids ANTI JOIN features ON id = node ORDER BY id LIMIT 3");
  throw new InputError(
    `${path}: ${count} nodes of the graph have no features, such as ${bare.map((id) => JSON.stringify(id)).join(", ")}; ` +
      "expected at least one row for each node. Add them, or take zeros with --missing-features zero.",
  );
}

function toMatrix(
  names: readonly string[],
  numNodes: number,
  nodes: Uint32Array,
  features: Uint32Array,
  cells: Float64Array,
): FeatureMatrix {
  const order = sortedBy(nodes, sortedBy(features, undefined, names.length), numNodes);
  const rowStart = new Uint32Array(numNodes + 1);
  for (const node of nodes) rowStart[node + 1]++;
  for (let n = 0; n < numNodes; n++) rowStart[n + 1] += rowStart[n];
  const columns = Uint32Array.from(order, (i) => features[i]);
  const ones = cells.every((value) => value === 1);
  return {
    names,
    numColumns: names.length,
    rowStart,
    columns,
    ...(ones ? {} : { values: Float32Array.from(order, (i) => cells[i]) }),
  };
}

/** Positions in ascending order of their key, stable with respect to `order`. */
function sortedBy(keys: Uint32Array, order: Uint32Array | undefined, numKeys: number): Uint32Array {
  const cursor = new Uint32Array(numKeys + 1);
  for (const key of keys) cursor[key + 1]++;
  for (let k = 0; k < numKeys; k++) cursor[k + 1] += cursor[k];
  const sorted = new Uint32Array(keys.length);
  for (let k = 0; k < keys.length; k++) {
    const i = order === undefined ? k : order[k];
    sorted[cursor[keys[i]]++] = i;
  }
  return sorted;
}
