/** Recognises Gephi's column Type: it states whether an edge is directed and does not name a relation. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { readNumbers } from "../duckdb.js";
import type { UserColumns } from "../sniff/choose-columns.js";
import { findAlias, RELATION_ROLE } from "../sniff/column-roles.js";
import type { Table } from "../tables/table.js";

/**
 * The table without Gephi's Type as its relation, and notes for the user. The table is unchanged if the column has other values
 * than directed and undirected, or if the user named the relation column.
 */
export async function withoutGephiType(
  connection: DuckDBConnection,
  table: Table,
  userColumns: UserColumns = {},
): Promise<{ readonly table: Table; readonly notes: readonly string[] }> {
  const index = table.chosen.get("relation");
  const unchanged = { table, notes: [] };
  if (index === undefined || userColumns["relation"] !== undefined) return unchanged;
  const name = table.names[index].trim();
  if (name.toLowerCase() !== "type") return unchanged;
  const value = `lower(trim(c${index}::VARCHAR))`;
  const counts = await readNumbers(
    connection,
    `SELECT count(*), count_if(${value} = 'directed'), count_if(${value} = 'undirected') FROM ${table.from}`,
  ).catch(() => [0, 0, 0]); // A file that cannot be read is reported when its rows are imported.
  const [rows, directed, undirected] = counts;
  if (rows === 0 || directed + undirected < rows) return unchanged;
  const other = findAlias(
    RELATION_ROLE,
    table.names.map((column, c) => (c === index ? "" : column)),
  );
  const keep = directed > 0 ? " Give --directed to keep the direction of edges." : "";
  const note = `${table.head.path}: column ${name} states whether edges are directed; it is not read as the relation.${keep}`;
  if (other >= 0) {
    const [named] = await readNumbers(connection, `SELECT count_if(trim(c${other}::VARCHAR) <> '') FROM ${table.from}`);
    const chosen = new Map(table.chosen).set("relation", other);
    if (named === rows) return { table: { ...table, chosen }, notes: directed > 0 ? [note] : [] };
  }
  const chosen = new Map([...table.chosen].filter(([role]) => role !== "relation"));
  return {
    table: { ...table, chosen },
    notes: [`${note} To read this or another column as the relation, name it, as in --columns relation=${name}.`],
  };
}
