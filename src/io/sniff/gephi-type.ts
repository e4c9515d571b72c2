/** Gephi's column Type says whether an edge is directed, and names no relation. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { readNumbers } from "../duckdb.js";
import { findAlias, type GivenColumns, RELATION_ROLE } from "../tables/columns.js";
import type { Table } from "../tables/table.js";

/** The table without it, and what to say of it; as it is where the column has any other value, or was asked for. */
export async function withoutGephiType(
  connection: DuckDBConnection,
  table: Table,
  given: GivenColumns = {},
): Promise<{ readonly table: Table; readonly notes: readonly string[] }> {
  const index = table.chosen.get("relation");
  const unchanged = { table, notes: [] };
  if (index === undefined || given["relation"] !== undefined) return unchanged;
  const name = table.names[index].trim();
  if (name.toLowerCase() !== "type") return unchanged;
  const value = `lower(trim(c${index}::VARCHAR))`;
  const counts = await readNumbers(
    connection,
    `SELECT count(*), count_if(${value} = 'directed'), count_if(${value} = 'undirected') FROM ${table.from}`,
  ).catch(() => [0, 0, 0]); // a file that cannot be read is told of where its rows are wanted
  const [rows, directed, undirected] = counts;
  if (rows === 0 || directed + undirected < rows) return unchanged;
  const other = findAlias(
    RELATION_ROLE,
    table.names.map((column, c) => (c === index ? "" : column)),
  );
  const keep = directed > 0 ? " Give --directed to keep the direction of edges." : "";
  const note = `${table.head.path}: ${name} says whether edges are directed, and is not read as relation.${keep}`;
  if (other >= 0) {
    const [named] = await readNumbers(connection, `SELECT count_if(trim(c${other}::VARCHAR) <> '') FROM ${table.from}`);
    const chosen = new Map(table.chosen).set("relation", other);
    if (named === rows) return { table: { ...table, chosen }, notes: directed > 0 ? [note] : [] };
  }
  const chosen = new Map([...table.chosen].filter(([role]) => role !== "relation"));
  return {
    table: { ...table, chosen },
    notes: [`${note} If a column names the relation of edges, give it, as in --columns relation=${name}.`],
  };
}
