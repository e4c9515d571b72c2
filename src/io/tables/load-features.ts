/**
 * Reads features of nodes: in long form (node, feature and optionally value) or in wide form (a node column, and every other column
 * a number or a category). Every value of a category becomes a feature named column=value.
 */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { firstNames, quotedNames, quoteValue } from "../../core/text.js";
import type { FeatureMatrix } from "../../graph/multiplex.js";
import { compareNatural } from "../../graph/order/natural-order.js";
import { type ChosenColumns, chooseByName } from "../../sniff/choose-columns.js";
import { FEATURE_ROLES, findAlias, NODE_ROLES } from "../../sniff/column-roles.js";
import { readNumbers, readStrings } from "../duckdb.js";
import { type CodedIds, readColumns, removeUnknownNodes } from "./code-ids.js";
import { importTable } from "./import-table.js";
import { openTable } from "./table.js";
import { importWide, type MissingFeatures, type WideOptions } from "./wide-features.js";

/** An imported feature file. */
export interface ImportedFeatures {
  /** Whether the rows are node, feature and value. Such a table is sparse: what it does not list is 0. */
  readonly long: boolean;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/** Imports a feature file into the DuckDB table `features(node, feature, value)`. */
export async function importFeatures(
  connection: DuckDBConnection,
  path: string,
  options: WideOptions,
): Promise<ImportedFeatures> {
  await connection.run("CREATE TEMP TABLE features(node VARCHAR, feature VARCHAR, value DOUBLE)");
  const choose = (where: string, names: readonly string[]): ChosenColumns =>
    findAlias(FEATURE_ROLES[1], names) >= 0
      ? chooseByName(where, names, FEATURE_ROLES)
      : chooseByName(where, names, NODE_ROLES);
  const table = await openTable(connection, path, { roles: FEATURE_ROLES, choose });
  if (!table.chosen.has("feature")) {
    // The time of this optimizer grows with the square of the number of columns: 29 s for 4,000 columns, 2 s without it.
    await connection.run("SET disabled_optimizers = 'common_subexpressions'");
    const notes = await importWide(connection, table, options);
    await connection.run("RESET disabled_optimizers");
    return { long: false, notes };
  }
  await importTable(connection, table, FEATURE_ROLES, "features", { value: "1" });
  return { long: true, notes: [] };
}

/**
 * Builds the feature matrix from the imported features; its rows are the coded ids. Adds notes for the user to `notes`. A node without
 * a row has an empty row in the matrix, or with `storeZeros` the row of a node that has zeros only.
 */
export async function buildFeatures(
  connection: DuckDBConnection,
  path: string,
  coded: CodedIds,
  { missing, storeZeros }: { readonly missing: MissingFeatures; readonly storeZeros: boolean },
  notes: string[],
): Promise<FeatureMatrix> {
  const { ids, place } = coded;
  notes.push(...(await removeUnknownNodes(connection, "features", path, coded)));
  const featureless = await countFeatureless(connection);
  if (missing === "error" && featureless > 0) throw await featurelessError(connection, path, featureless);
  if (featureless > 0) {
    notes.push(`${path}: ${featureless} of ${ids.length} nodes have no feature row; their features are all 0.`);
    if (storeZeros) {
      const first = "(SELECT min(feature) FROM features)";
      await connection.run(`INSERT INTO features SELECT id, ${first}, 0 FROM ids ANTI JOIN features ON id = node`);
    }
  }
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
  notes.push(...(await roundedNotes(connection, path)));
  // Zeros are not stored. A node with zeros only keeps one of them, which distinguishes it from a node without a row.
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

/** Reports features, such as times in seconds, of which fewer than half of the distinct values stay distinct in single precision. */
async function roundedNotes(connection: DuckDBConnection, path: string): Promise<string[]> {
  const names = await readStrings(
    connection,
    "SELECT feature FROM features GROUP BY feature HAVING count(DISTINCT value::FLOAT) < 0.5 * count(DISTINCT value) ORDER BY feature",
  );
  if (names.length === 0) return [];
  const some = firstNames(names, 3);
  return [`${path}: many values of ${some} are equal in single precision. Subtract a constant from them first.`];
}

/** Number of nodes without a row of features. */
async function countFeatureless(connection: DuckDBConnection): Promise<number> {
  const [count] = await readNumbers(connection, "SELECT count(*) FROM ids ANTI JOIN features ON id = node");
  return count;
}

async function featurelessError(connection: DuckDBConnection, path: string, count: number): Promise<InputError> {
  const some = await readStrings(connection, "SELECT id FROM ids ANTI JOIN features ON id = node ORDER BY id LIMIT 3");
  return new InputError(
    `${path}: ${count} nodes of the graph have no features, such as ${quotedNames(some)}; ` +
      "expected at least one row for each node. Add them, or use zeros with --missing-features zero.",
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

/** Positions in ascending order of their key. The sort is stable with respect to `order`. */
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
