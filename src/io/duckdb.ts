/** A private in-memory DuckDB, opened for one piece of work and closed after it. */

import { totalmem } from "node:os";
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from "@duckdb/node-api";
import { InternalError } from "../core/errors.js";
import { withSpool } from "./spool.js";
import { spillFault, spillFolder } from "./system-faults.js";

/** Share of the machine's memory DuckDB may take before it spills to the system's temporary folder. */
const MEMORY_SHARE = 0.6;

/** Runs `work` with a fresh connection; `memoryLimit` bounds the bytes of the process, of which DuckDB takes its share. */
export async function withDatabase<T>(
  work: (connection: DuckDBConnection) => Promise<T>,
  memoryLimit = Number.POSITIVE_INFINITY,
): Promise<T> {
  return withSpool(() => openDatabase(work, memoryLimit));
}

async function openDatabase<T>(work: (connection: DuckDBConnection) => Promise<T>, memoryLimit: number): Promise<T> {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY, memoryLimit);
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: `${Math.max(64, Math.floor((memory * MEMORY_SHARE) / 2 ** 20))}MiB`,
    // a query must not fetch anything: what DuckDB needs for tables is built in
    autoinstall_known_extensions: "false",
    temp_directory: spillFolder(),
  });
  try {
    const connection = await instance.connect();
    try {
      return await work(connection);
    } catch (error) {
      throw spillFault(error) ?? error;
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/** The chunks of a query's result, as DuckDB produces them. */
export async function* streamChunks(connection: DuckDBConnection, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const result = await connection.stream(sql);
  while (true) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk;
  }
}

/** Strings come over in JSON lists of this many: ten times faster than one by one. */
const STRINGS_PER_LIST = 4096;

/** The first column of a query's result as strings, in the order of the result. */
export async function readStrings(connection: DuckDBConnection, sql: string): Promise<string[]> {
  const strings: string[] = [];
  const lists =
    `SELECT to_json(list(text ORDER BY number)) FROM (SELECT text, row_number() OVER () AS number FROM (${sql}) t(text)) ` +
    `GROUP BY (number - 1) // ${STRINGS_PER_LIST} ORDER BY min(number)`;
  for await (const chunk of streamChunks(connection, lists)) {
    const vector = chunk.getColumnVector(0);
    for (let i = 0; i < chunk.rowCount; i++) {
      const list: unknown = JSON.parse(String(vector.getItem(i)));
      if (Array.isArray(list)) for (const text of list) strings.push(String(text));
    }
  }
  return strings;
}

/** The one row of a query's result as numbers; NULL becomes 0. */
export async function readNumbers(connection: DuckDBConnection, sql: string): Promise<number[]> {
  const rows = (await connection.runAndReadAll(sql)).getRows();
  if (rows.length !== 1) throw new InternalError(`expected one row of: ${sql}`);
  return rows[0].map((value) => Number(value ?? 0));
}

/** The columns a query gives. */
export async function describeColumns(
  connection: DuckDBConnection,
  sql: string,
): Promise<{ readonly name: string; readonly type: string }[]> {
  const rows = await connection.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE ${sql})`);
  return rows.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** Names of the columns a query gives. */
export async function readColumnNames(connection: DuckDBConnection, sql: string): Promise<string[]> {
  return (await describeColumns(connection, sql)).map(({ name }) => name);
}

/** A string literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A quoted identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A path as a literal in which no character is a wildcard. */
export function quotePath(path: string): string {
  return quoteOutput(path.replace(/[*?[]/g, "[$&]"));
}

/** The path of a file to write as a literal. DuckDB would take `~` at its beginning for the home folder, as shells do. */
export function quoteOutput(path: string): string {
  return quoteText(path.startsWith("~") ? `./${path}` : path);
}

/** The first line of DuckDB's message, without the kind of error in front. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .split("\n", 1)[0]
    .replace(/^Failed to extract statements: /, "")
    .replace(/^[A-Za-z ]+ Error: /, "");
}
