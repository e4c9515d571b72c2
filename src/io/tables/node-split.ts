/** Reads a split of the nodes into parts, such as train, val and test. */

import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { NODE_ROLES, type Role } from "../../sniff/column-roles.js";
import { withDatabase } from "../duckdb.js";
import { importTable } from "./import-table.js";
import { openTable } from "./table.js";

const SPLIT_ROLES: readonly Role[] = [
  ...NODE_ROLES,
  { name: "split", aliases: ["split", "part", "set", "fold"], required: true, check: "text" },
];

/** Reads a table of (node, split) and returns the part of each node. Throws if a node is in two parts. */
export async function loadNodeSplit(path: string, columns?: UserColumns): Promise<ReadonlyMap<string, string>> {
  const rows = await withDatabase(async (connection) => {
    await connection.run("CREATE TEMP TABLE split(node VARCHAR, split VARCHAR)");
    const table = await openTable(connection, path, { roles: SPLIT_ROLES, userColumns: columns });
    await importTable(connection, table, SPLIT_ROLES, "split");
    const result = await connection.runAndReadAll("SELECT DISTINCT node, split FROM split ORDER BY node, split");
    return result.getRows().map(([node, split]): [string, string] => [String(node), String(split)]);
  });
  const partOf = new Map<string, string>();
  for (const [node, part] of rows) {
    const other = partOf.get(node);
    if (other !== undefined) {
      throw new InputError(`${path}: node ${quoteValue(node)} is in two parts, ${other} and ${part}; expected one.`);
    }
    partOf.set(node, part);
  }
  return partOf;
}
