/** The `--sql` that reads a file of edges otherwise: what messages offer as the way out. */

import { shellWord } from "../core/shell-word.js";
import { NO_NUMBERS, type Role } from "./columns.js";
import { quoteName, quoteText } from "./duckdb.js";
import type { Table } from "./table.js";

type NamedTable = Pick<Table, "head" | "chosen" | "names">;

/** All roles of the file; `expression` makes of a column what is read in its place. */
export function insteadQuery(
  { head, chosen, names }: NamedTable,
  expression: (role: string, column: string, name: string) => string = (_, column) => column,
): string {
  const columns = [...chosen].map(([role, index]) => {
    const read = expression(role, columnName(names[index]), names[index]);
    return read === role ? role : `${read} AS ${role}`;
  });
  return `SELECT ${columns.join(", ")} FROM ${quoteText(head.path)}`;
}

/** The option as it is typed. */
export function sqlOption(query: string): string {
  return `--sql ${/["$`\\!]/.test(query) ? shellWord(query) : `"${query}"`}`;
}

/**
 * After a fault of a weight that is not there, or negative: how to do without such edges. Nothing after other faults, for
 * which the query has no remedy.
 */
export function weightAdvice(
  table: NamedTable & Pick<Table, "header" | "oneObject">,
  role: Role,
  value: unknown,
): string {
  const index = table.chosen.get("weight");
  const text = String(value ?? "").trim();
  const absent = text === "" || NO_NUMBERS.includes(text.toLowerCase()) || Number(text) < 0;
  if (role.name !== "weight" || index === undefined || !absent || !table.header || table.oneObject) return "";
  const query = `${insteadQuery(table)} WHERE try_cast(${columnName(table.names[index])} AS DOUBLE) >= 0`;
  return ` To leave such edges out: ${sqlOption(query)}.`;
}

function columnName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quoteName(name);
}
