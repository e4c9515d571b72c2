/**
 * Features of nodes: long form (node, feature, value?) or wide form (a node column, every other column a number or a
 * category). A category is a feature for each of its values, named column=value.
 */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { firstNames, quotedNames, quoteValue } from "../../core/text.js";
import type { FeatureMatrix } from "../../graph/multiplex.js";
import { compareNatural } from "../../graph/order/natural-order.js";
import { readNumbers, readStrings } from "../duckdb.js";
import { type CodedIds, leaveOutUnknown, readColumns } from "../graph/code-ids.js";
import { type ChosenColumns, chooseByName, FEATURE_ROLES, findAlias, NODE_ROLES } from "./columns.js";
import { importTable } from "./import-table.js";
import { openTable } from "./table.js";
import { importWide, type MissingFeatures, type WideOptions } from "./wide-features.js";

/** Reads a feature file into the table `features(node, feature, value)`. Returns what a person should know. */
export async function importFeatures(
  connection: DuckDBConnection,
  path: string,
  options: WideOptions,
): Promise<string[]> {
  await connection.run("CREATE TEMP TABLE features(node VARCHAR, feature VARCHAR, value DOUBLE)");
  const choose = (where: string, names: readonly string[]): ChosenColumns =>
    findAlias(FEATURE_ROLES[1], names) >= 0
      ? chooseByName(where, names, FEATURE_ROLES)
      : chooseByName(where, names, NODE_ROLES);
  const table = await openTable(connection, path, { roles: FEATURE_ROLES, choose });
  if (!table.chosen.has("feature")) {
    // it looks for common expressions in time that grows with the square of the columns: 29 s for 4,000, without it 2 s
    await connection.run("SET disabled_optimizers = 'common_subexpressions'");
    const notes = await importWide(connection, table, options);
    await connection.run("RESET disabled_optimizers");
    return notes;
  }
  await importTable(connection, table, FEATURE_ROLES, "features", { value: "1" });
  return [];
}

/** The matrix of the imported features over the coded ids. */
export async function buildFeatures(
  connection: DuckDBConnection,
  path: string,
  coded: CodedIds,
  missing: MissingFeatures,
  notes: string[],
): Promise<FeatureMatrix> {
  const { ids, place } = coded;
  notes.push(...(await leaveOutUnknown(connection, "features", path, coded)));
  const bare = await countBareNodes(connection);
  if (missing === "error" && bare > 0) throw await bareNodes(connection, path, bare);
  if (bare > 0) notes.push(`${path}: ${bare} of ${ids.length} nodes have no row; their features are all 0.`);
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
      `${path}: node ${quoteValue(node)} has two values for feature ${quoteValue(feature)}; expected one.`,
    );
  }
  notes.push(...(await blurredNotes(connection, path)));
  // a node that has zeros only keeps one of them: it is not one that the file does not name
  const kept =
    "SELECT DISTINCT node, feature, value FROM features WHERE value <> 0 UNION ALL " +
    "SELECT node, min(feature), 0 FROM features GROUP BY node HAVING count_if(value <> 0) = 0";
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

/** Features that have seven digits in common, as times in seconds do: in single precision most of their values are one. */
async function blurredNotes(connection: DuckDBConnection, path: string): Promise<string[]> {
  const names = await readStrings(
    connection,
    "SELECT feature FROM features GROUP BY feature HAVING count(DISTINCT value::FLOAT) < 0.5 * count(DISTINCT value) ORDER BY feature",
  );
  if (names.length === 0) return [];
  const some = firstNames(names, 3);
  return [
    `${path}: values of ${some} differ too little for their size to be told apart; take a constant off them first.`,
  ];
}

/** Nodes that the features do not name. */
async function countBareNodes(connection: DuckDBConnection): Promise<number> {
  const [count] = await readNumbers(connection, "SELECT count(*) FROM ids ANTI JOIN features ON id = node");
  return count;
}

async function bareNodes(connection: DuckDBConnection, path: string, count: number): Promise<InputError> {
  const bare = await readStrings(connection, "SELECT id FROM ids ANTI JOIN features ON id = node ORDER BY id LIMIT 3");
  return new InputError(
    `${path}: ${count} nodes of the graph have no features, such as ${quotedNames(bare)}; ` +
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
