/** Lists of nodes: one id per line, or the node column of a table. */

import { extname } from "node:path";
import { InputError } from "../../core/errors.js";
import { NODE_ROLES } from "../../sniff/column-roles.js";
import { readStrings, withDatabase } from "../duckdb.js";
import { readLines } from "../file-head.js";
import { readInput } from "../read-input.js";
import { importTable } from "./import-table.js";
import { openTable } from "./table.js";

const TABLE_EXTENSIONS = [".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson", ".gz"];

/** The distinct ids of a file in their order. A file without the extension of a table holds one id per line. */
export async function readNodeList(path: string): Promise<string[]> {
  const found = TABLE_EXTENSIONS.includes(extname(path).toLowerCase())
    ? await withDatabase(async (connection) => {
        await connection.run("CREATE TEMP TABLE listed(node VARCHAR)");
        const table = await openTable(connection, path, { roles: NODE_ROLES });
        await importTable(connection, table, NODE_ROLES, "listed");
        return readStrings(connection, "SELECT node FROM listed ORDER BY rowid");
      })
    : readLines(await readInput(path), path).map((line) => line.trim());
  const ids = [...new Set(found.filter((id) => id !== ""))];
  if (ids.length === 0)
    throw new InputError(`${path}: no nodes; expected one id per line, or a table with a node column.`);
  return ids;
}
