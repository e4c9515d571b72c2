/** Lists of nodes: one id per line, or the node column of a table. */

import { extname } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError, isUserError } from "../../core/errors.js";
import { quoteText, quoteValue } from "../../core/text.js";
import { isNumeric } from "../../sniff/check-value.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { NODE_LIST_ROLES } from "../../sniff/column-roles.js";
import { readNumbers, readStrings, withDatabase } from "../duckdb.js";
import { readLines } from "../file-head.js";
import { readInput } from "../read-input.js";
import { importTable } from "./import-table.js";
import { openTable, type Table } from "./table.js";

const TABLE_EXTENSIONS = [".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson", ".gz"];

/** The distinct ids of a file in their order. A file without the extension of a table holds one id per line. */
export async function readNodeList(path: string): Promise<string[]> {
  const found = TABLE_EXTENSIONS.includes(extname(path).toLowerCase())
    ? await withDatabase(async (connection) => {
        await connection.run("CREATE TEMP TABLE listed(node VARCHAR)");
        const table = await openTable(connection, path, { roles: NODE_LIST_ROLES });
        await importTable(connection, table, NODE_LIST_ROLES, "listed");
        return readStrings(connection, "SELECT node FROM listed ORDER BY rowid");
      })
    : readLines(await readInput(path), path).map((line) => line.trim());
  const ids = [...new Set(found.filter((id) => id !== ""))];
  if (ids.length === 0)
    throw new InputError(`${path}: no nodes; expected one id per line, or a table with a node column.`);
  return ids;
}

/**
 * Imports a list of nodes into the DuckDB table `nodes_NUMBER`. Returns a note if none of them has an edge, which is likely a mistake.
 * `withLabels`: `columns` may be meant for the labels only.
 */
export async function importNodeList(
  connection: DuckDBConnection,
  path: string,
  number: number,
  columns: UserColumns | undefined,
  withLabels: boolean,
): Promise<string[]> {
  const into = `nodes_${number}`;
  await connection.run(`CREATE TEMP TABLE ${into}(node VARCHAR)`);
  const open = (userColumns: UserColumns | undefined) =>
    openTable(connection, path, {
      roles: NODE_LIST_ROLES,
      userColumns,
      // A name or a later position means that lines have several fields.
      wholeLines: String(userColumns?.["node"] ?? 1) === "1",
    });
  const notes: string[] = [];
  const table = await open(columns).catch((error: unknown) => {
    if (!withLabels || columns?.["node"] === undefined || !isUserError(error)) throw error;
    notes.push(
      `${path}: node=${columns["node"]} of --columns is not a column of this file, so it is used for the labels only.`,
    );
    return open({});
  });
  await importTable(connection, table, NODE_LIST_ROLES, into);
  const [apart] = await readNumbers(
    connection,
    `SELECT EXISTS (FROM edges) AND NOT EXISTS (FROM edges WHERE source IN (FROM ${into}) OR target IN (FROM ${into}))`,
  );
  if (apart === 0) return [...notes, ...(await headerNotes(connection, table, into))];
  const [id] = await readStrings(connection, `SELECT node FROM ${into} LIMIT 1`);
  return [
    ...notes,
    `${path}: none of its ids, such as ${quoteValue(id)}, has an edge; all are added as nodes without edges. Check that both files use the same ids.`,
  ];
}

/** Reports a first row that may be a header: it is not an endpoint of an edge, but other rows are. */
async function headerNotes(connection: DuckDBConnection, table: Table, into: string): Promise<string[]> {
  const id = table.header ? undefined : table.firstRow?.[table.chosen.get("node") ?? 0]?.trim();
  if (id === undefined || isNumeric(id)) return [];
  const [isEndpoint, others] = await readNumbers(
    connection,
    `SELECT count(*) FILTER (node = ${quoteText(id)}), count(*) FROM ${into} ` +
      "WHERE node IN (SELECT source FROM edges UNION SELECT target FROM edges)",
  );
  if (isEndpoint > 0 || others === 0) return [];
  return [
    `${table.head.path}: the first row, ${id}, is read as a node without edges. If it is a header, rename it to node.`,
  ];
}
