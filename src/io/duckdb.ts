/** Opens an in-memory DuckDB for one piece of work, and reads results of queries. */

import { totalmem } from "node:os";
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from "@duckdb/node-api";
import { InternalError } from "../core/errors.js";
import { quoteText } from "../core/text.js";
import { withSpool } from "./spool.js";
import { spillFault, spillFolder } from "./system-faults.js";

/** Share of the memory that DuckDB may use before it writes tables to the temporary folder; not tuned. */
const MEMORY_SHARE = 0.6;

/** Runs `work` with a new connection. `memoryLimit` is in bytes, for the whole process; DuckDB gets its share of it. */
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
    // A query must not download extensions; those for tables are built in.
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

/** Maximum number of rows in a data chunk of DuckDB. */
export const CHUNK_ROWS = 2048;

/** Streams the chunks of a query's result. */
export async function* streamChunks(connection: DuckDBConnection, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const result = await connection.stream(sql);
  while (true) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk;
  }
}

/** Number of strings per JSON list. Lists are ten times faster than single strings; the number is not tuned. */
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

/** The only row of a query's result as numbers; NULL becomes 0. */
export async function readNumbers(connection: DuckDBConnection, sql: string): Promise<number[]> {
  const rows = (await connection.runAndReadAll(sql)).getRows();
  if (rows.length !== 1) throw new InternalError(`expected one row of: ${sql}`);
  return rows[0].map((value) => Number(value ?? 0));
}

/** Names and types of the columns of a query's result. */
export async function describeColumns(
  connection: DuckDBConnection,
  sql: string,
): Promise<{ readonly name: string; readonly type: string }[]> {
  const rows = await connection.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE ${sql})`);
  return rows.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** Names of the columns of a query's result. */
export async function readColumnNames(connection: DuckDBConnection, sql: string): Promise<string[]> {
  return (await describeColumns(connection, sql)).map(({ name }) => name);
}

/** A name as a quoted SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The path of a file to read as an SQL literal, with wildcards escaped. */
export function quotePath(path: string): string {
  return quoteOutput(path.replace(/[*?[]/g, "[$&]"));
}

/** The path of a file to write as an SQL literal. A leading `~` gets `./` before it: DuckDB would expand it to the home folder. */
export function quoteOutput(path: string): string {
  return quoteText(path.startsWith("~") ? `./${path}` : path);
}

/** The first line of DuckDB's error message, without the kind of the error. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .split("\n", 1)[0]
    .replace(/^Failed to extract statements: /, "")
    .replace(/^[A-Za-z ]+ Error: /, "");
}
