/** Turns node ids into integer codes: DuckDB finds the distinct ids, sorts them and joins tables to their row numbers. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { quotedNames } from "../../core/text.js";
import { compareCodeUnits } from "../../graph/order/natural-order.js";
import { readNumbers, readStrings, streamChunks } from "../duckdb.js";

export interface CodedIds {
  /** In ascending order of UTF-16 code units, the order of JavaScript's `<`. */
  readonly ids: readonly string[];
  /** Maps the row number of an id in DuckDB to its index in `ids`; absent if they are the same. */
  readonly place?: Uint32Array;
}

/** Creates the table `ids(id)` of the distinct values of the queries; its row numbers are the codes. */
export async function codeIds(connection: DuckDBConnection, queries: readonly string[]): Promise<CodedIds> {
  await connection.run(
    `CREATE TEMP TABLE ids AS SELECT DISTINCT id FROM (${queries.join(" UNION ALL ")}) t(id) ORDER BY id`,
  );
  const stored = await readStrings(connection, "SELECT id FROM ids ORDER BY rowid");
  // DuckDB sorts by code points; UTF-16 code units put those beyond U+FFFF before U+E000 … U+FFFF.
  if (isAscending(stored)) return { ids: stored };
  const order = Uint32Array.from(stored, (_, i) => i).sort((a, b) => compareCodeUnits(stored[a], stored[b]));
  const place = new Uint32Array(stored.length);
  order.forEach((from, to) => {
    place[from] = to;
  });
  return { ids: Array.from(order, (i) => stored[i]), place };
}

/** Streams UINTEGER or DOUBLE columns without NULLs into typed arrays of the same type; returns the number of rows. */
export async function readColumns(
  connection: DuckDBConnection,
  sql: string,
  columns: readonly (Uint32Array | Float64Array)[],
): Promise<number> {
  let at = 0;
  for await (const chunk of streamChunks(connection, sql)) {
    const count = chunk.rowCount;
    columns.forEach((column, c) => {
      const vector = chunk.getColumnVector(c);
      // DuckDB's vectors hold a typed array; copying it is ten times faster than reading single items.
      const items: unknown = Reflect.get(vector, "items");
      if (items instanceof Uint32Array || items instanceof Float64Array) column.set(items.subarray(0, count), at);
      else for (let i = 0; i < count; i++) column[at + i] = Number(vector.getItem(i));
    });
    at += count;
  }
  return at;
}

/** Removes rows of nodes that are not among the ids, and returns a note about them. Throws if no node is among the ids. */
export async function removeUnknownNodes(
  connection: DuckDBConnection,
  table: string,
  where: string,
  { ids }: CodedIds,
): Promise<string[]> {
  const query = `SELECT DISTINCT node FROM ${table} ANTI JOIN ids ON id = node`;
  const [unknown, all] = await readNumbers(
    connection,
    `SELECT (SELECT count(*) FROM (${query})), (SELECT count(DISTINCT node) FROM ${table})`,
  );
  if (unknown === 0) return [];
  if (unknown === all) {
    throw new InputError(
      `${where}: none of its ${all} nodes is in the graph; expected ids such as ${JSON.stringify(ids[0])}. Check that both use the same ids.`,
    );
  }
  const some = quotedNames(await readStrings(connection, `${query} ORDER BY node LIMIT 3`));
  await connection.run(`DELETE FROM ${table} WHERE node NOT IN (SELECT id FROM ids)`);
  return [
    `${where}: ${unknown} of its ${all} nodes ${unknown === 1 ? `is not in the graph, ${some}; it is` : `are not in the graph, such as ${some}; they are`} ignored. To add nodes without edges, list them with --nodes FILE.`,
  ];
}

function isAscending(values: readonly string[]): boolean {
  for (let i = 1; i < values.length; i++) if (!(values[i - 1] < values[i])) return false;
  return true;
}
