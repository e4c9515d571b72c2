/** Reads a table of nodes whose columns become properties: text becomes a category, numbers stay numbers. */

import { InputError } from "../../core/errors.js";
import type { Attribute } from "../../explore/scene/scene.js";
import { AttributeColumns } from "../../explore/scene/table-attributes.js";
import { withDatabase } from "../../io/duckdb.js";
import { importTable } from "../../io/tables/import-table.js";
import { openTable } from "../../io/tables/table.js";
import { plural } from "../../report/format.js";
import { NODE_ROLES, type Role } from "../../sniff/column-roles.js";

/** One attribute for each column but the node's, in the order of the file. A node with several rows has the values of its first. */
export async function readNodeTable(
  path: string,
  ids: readonly string[],
  note: (text: string) => void,
): Promise<readonly Attribute[]> {
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const { names, rows } = await readRows(path, (text) => indexOf.has(text));
  const columns = new AttributeColumns(names, ids.length, (id) => indexOf.get(id));
  for (const row of rows) columns.add(row.map((value) => (value === null ? null : String(value))));
  const { attributes, matched, unmatched, repeated } = columns.end();
  if (matched === 0) {
    throw new InputError(
      `${path}: none of its ${plural(rows.length, "node")} is in the graph, whose ids look like ${JSON.stringify(ids[0])}. Check that both use the same ids.`,
    );
  }
  if (unmatched > 0) note(`note: ${path}: ignored ${plural(unmatched, "row")} of nodes missing from the graph`);
  if (repeated > 0) note(`note: ${path}: ignored ${plural(repeated, "row")} of nodes that came before`);
  return attributes;
}

/** The names of the columns but the node's, and the rows, each with its node first. Empty cells are null. */
function readRows(path: string, isNode: (text: string) => boolean) {
  return withDatabase(async (connection) => {
    const table = await openTable(connection, path, { roles: NODE_ROLES, isNode });
    const node = table.chosen.get("node") ?? 0;
    const columns = table.names.map((name, index) => ({ name, index })).filter(({ index }) => index !== node);
    if (columns.length === 0) {
      throw new InputError(`${path}: found a node column only; expected more columns, such as node,age,city.`);
    }
    const roles = columns.map(({ name, index }): Role => {
      return { name: `f${index}`, title: name, aliases: [], required: true, check: "category" };
    });
    await connection.run(
      `CREATE TEMP TABLE listed(node VARCHAR, ${roles.map(({ name }) => `${name} VARCHAR`).join(", ")})`,
    );
    const chosen = new Map([["node", node], ...columns.map(({ index }) => [`f${index}`, index] as const)]);
    await importTable(connection, { ...table, chosen }, [...NODE_ROLES, ...roles], "listed");
    const result = await connection.runAndReadAll("SELECT * FROM listed ORDER BY rowid");
    return { names: columns.map(({ name }) => name), rows: result.getRows() };
  });
}
