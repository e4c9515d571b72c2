/** Imports the chosen columns of a table into DuckDB, and reports the line or row of the first fault. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { LineEnds, requireRow } from "../../sniff/check-rows.js";
import { valueFault } from "../../sniff/check-value.js";
import type { Role } from "../../sniff/column-roles.js";
import { readJsonLine } from "../../sniff/formats/json.js";
import { RowScanner } from "../../sniff/row-scanner.js";
import { NoRowsError } from "../../sniff/text-head.js";
import { firstLine, readNumbers } from "../duckdb.js";
import { readText, verifyGzip } from "../file-head.js";
import { spillFault } from "../system-faults.js";
import { inexactIdsMessage, sqlValue } from "./sql-values.js";
import { damagedParquet, type Table } from "./table.js";

/**
 * Inserts the rows of a table into the DuckDB table `into`, which has one column per role in this order. Blanks around names are
 * removed. A role without a column gets its SQL expression from `defaults`. Returns the number of rows.
 */
export async function importTable(
  connection: DuckDBConnection,
  table: Table,
  roles: readonly Role[],
  into: string,
  defaults: Readonly<Record<string, string>> = {},
): Promise<number> {
  const values = roles.map((role) => {
    const index = table.chosen.get(role.name);
    if (index === undefined) return defaults[role.name] ?? "NULL";
    const value = sqlValue(role, `c${index}`, table.kind === "parquet");
    // People also write text files by hand, as "a, b". Other formats are written by programs.
    return table.kind === "text" && role.check === "text" ? `trim(${value})` : value;
  });
  const integrity = table.head.gzip ? verifyGzip(table.head) : Promise.resolve();
  integrity.catch(() => {}); // It is awaited below, but DuckDB may fail before.
  const [before] = await readNumbers(connection, `SELECT count(*) FROM ${into}`);
  let failure: unknown;
  try {
    await connection.run(`INSERT INTO ${into} SELECT ${values.join(", ")} FROM ${table.from}`);
  } catch (error) {
    failure = error;
  }
  await integrity;
  if (failure !== undefined) {
    const spill = spillFault(failure);
    if (spill !== undefined) throw spill;
    const inexact = inexactIdsMessage(failure);
    if (inexact !== undefined) throw new InputError(`${table.head.path}: ${inexact}`);
    await throwFault(connection, table, roles);
    throw table.kind === "parquet"
      ? damagedParquet(failure, table.head.path)
      : new InputError(`${table.head.path}: cannot be read: ${firstLine(failure)}`);
  }
  const checked = roles.filter((role) => table.chosen.has(role.name));
  const [rows, faults] = await readNumbers(
    connection,
    `SELECT count(*), count_if(${checked.map((role) => sqlFault(role)).join(" OR ")}) FROM ${into}`,
  );
  if (faults > 0) {
    await throwFault(connection, table, roles);
    throw new InputError(`${table.head.path}: ${faults} rows hold an empty or unreadable value; expected none.`);
  }
  if (rows === before) {
    // DuckDB silently drops a last row that exceeds its limit.
    if (!table.head.complete && table.kind === "text") await throwTextFault(table, roles);
    throw new NoRowsError(
      `${table.head.path}: ${table.header ? "only a header and " : ""}no rows; expected at least one.`,
    );
  }
  return rows - before;
}

/** SQL condition: the imported value of a role is not accepted. */
export function sqlFault({ name, check }: Role): string {
  if (check === "category") return `coalesce(contains(${name}, chr(0)), false)`;
  return check === "text" ? sqlTextFault(name) : `${name} IS NULL`;
}

/** SQL condition: a text is missing, empty or contains a zero byte. */
function sqlTextFault(text: string): string {
  return `(${text}) IS NULL OR ${text} = '' OR contains(${text}, chr(0))`;
}

/** Looks for the first row at fault and throws with its line or row number; returns if it finds none. */
async function throwFault(connection: DuckDBConnection, table: Table, roles: readonly Role[]): Promise<void> {
  if (table.kind === "text") await throwTextFault(table, roles);
  else if (table.kind === "json") await throwJsonFault(connection, table, roles);
  else await throwRowFault(connection, table, roles);
}

async function throwTextFault({ head, dialect, names, chosen }: Table, roles: readonly Role[]): Promise<void> {
  const { delimiter, skipLines } = dialect ?? { delimiter: ",", skipLines: 0 };
  const table = { path: head.path, delimiter, names, chosen };
  const scanner = new RowScanner({ delimiter, skipLines });
  const lineEnds = new LineEnds();
  for await (const text of readText(head)) {
    for (const row of scanner.push(text)) requireRow(table, roles, row);
    lineEnds.push(text);
  }
  for (const row of scanner.end()) requireRow(table, roles, row);
  lineEnds.end(head.path);
}

async function throwJsonFault(connection: DuckDBConnection, table: Table, roles: readonly Role[]): Promise<void> {
  const { path, text } = table.head;
  if (table.isNodeLink || text.trimStart().startsWith("[")) return throwRowFault(connection, table, roles);
  let line = 0;
  let rest = "";
  const check = (json: string) => void readJsonLine(json, { path, line: ++line }, table, roles);
  for await (const piece of readText(table.head)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const json of lines) check(json);
  }
  check(rest);
}

/** For tables without lines: throws with the number of the first row at fault. */
async function throwRowFault(connection: DuckDBConnection, table: Table, roles: readonly Role[]): Promise<void> {
  for (const role of roles) {
    const index = table.chosen.get(role.name);
    if (index === undefined || role.check === "category") continue;
    const stored = sqlValue(role, `c${index}`, table.kind === "parquet");
    const faulty = role.check === "text" ? sqlTextFault(stored) : `(${stored}) IS NULL`;
    try {
      const rows = await connection.runAndReadAll(
        `SELECT number, value FROM (SELECT row_number() OVER () AS number, c${index} AS value, (${faulty}) AS faulty ` +
          `FROM ${table.from}) WHERE faulty ORDER BY number LIMIT 1`,
      );
      for (const [number, value] of rows.getRows()) {
        const wrong =
          valueFault(role, value === null ? null : String(value)) ?? `${role.name} ${value} is not accepted.`;
        throw new InputError(`${table.head.path}: row ${number}: ${wrong}`);
      }
    } catch (error) {
      if (error instanceof InputError) throw error;
      return; // The file itself cannot be read; the caller reports it.
    }
  }
}
