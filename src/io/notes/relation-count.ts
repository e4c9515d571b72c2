/** Reports a relation column with so many distinct values that they look like ids or times. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { COLUMN_ADVICE, looksLikeIds, relationColumn } from "../../sniff/relation-count.js";
import { readNumbers } from "../duckdb.js";
import type { Table } from "../tables/table.js";

/** Notes on the relation column of a table whose rows are in `edges`. */
export async function relationColumnNotes(connection: DuckDBConnection, table: Table): Promise<string[]> {
  const index = table.chosen.get("relation");
  if (index === undefined) return [];
  const [relations, rows] = await readNumbers(
    connection,
    `SELECT count(DISTINCT c${index}::VARCHAR), count(*) FROM ${table.from}`,
  );
  if (!looksLikeIds(relations, rows)) return [];
  return [
    `${table.head.path}: ${relationColumn(table)} is read as the relation and has ${relations} distinct values in ${rows} rows: these look like ids or times. ${COLUMN_ADVICE}`,
  ];
}
