/** Counts the values of Gephi's column Type, which does not name a relation (sniff/formats/gephi.ts). */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { findTypeColumn, withoutTypeColumn } from "../../sniff/formats/gephi.js";
import { readNumbers } from "../duckdb.js";
import type { Table } from "../tables/table.js";

/**
 * The table without Gephi's Type as its relation, and notes for the user. The table is unchanged if the column has other values
 * than directed and undirected, or if the user named the relation column.
 */
export async function withoutGephiType(
  connection: DuckDBConnection,
  table: Table,
  userColumns?: UserColumns,
): Promise<{ readonly table: Table; readonly notes: readonly string[] }> {
  const column = findTypeColumn(table, userColumns);
  if (column === undefined) return { table, notes: [] };
  const value = `lower(trim(c${column.type}::VARCHAR))`;
  const isNamed = column.other < 0 ? "false" : `trim(c${column.other}::VARCHAR) <> ''`;
  const [rows, directed, undirected, named] = await readNumbers(
    connection,
    `SELECT count(*), count_if(${value} = 'directed'), count_if(${value} = 'undirected'), count_if(${isNamed}) FROM ${table.from}`,
  ).catch(() => [0, 0, 0, 0]); // A file that cannot be read is reported when its rows are imported.
  const { chosen, notes } = withoutTypeColumn(table.head.path, table, column, { rows, directed, undirected, named });
  return { table: { ...table, chosen }, notes };
}
