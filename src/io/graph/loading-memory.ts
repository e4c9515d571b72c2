/** Estimates the memory for reading a graph from its number of rows, or from the sizes of its files before they are read. */

import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { firstNames } from "../../core/text.js";
import { quotePath, readNumbers } from "../duckdb.js";
import { type FileHead, readHead } from "../file-head.js";

/*
 * The constants were measured as the peak resident size of `hmge inspect` on 2 × Neoverse-N1, Node 20: block models of 300 to
 * 20,000 nodes and up to 9 M edges, and real graphs of 2,000 to 28,000 nodes.
 */
/** Bytes of Node, the program and DuckDB's library while a file is read. */
const BASE_BYTES = 105e6;
/** Bytes of DuckDB's tables per row. The first rows need more, because they fill buffers that later rows share. */
const FIRST_ROWS = 300_000;
const BYTES_PER_FIRST_ROW = 290;
const BYTES_PER_LATER_ROW = 72;
/** Bytes of a row, assumed for a file whose head contains no whole line. */
const USUAL_ROW_BYTES = 40;

/** Peak resident bytes while this number of rows is read. */
export function loadingBytes(rows: number): number {
  const firstRows = Math.min(rows, FIRST_ROWS);
  return BASE_BYTES + BYTES_PER_FIRST_ROW * firstRows + BYTES_PER_LATER_ROW * (rows - firstRows);
}

/** Throws, before the rows are read, if they need more than `limit` bytes. */
export async function requireLoadingMemory(
  connection: DuckDBConnection,
  inputs: readonly string[],
  limit: number,
): Promise<void> {
  let rows = 0;
  const names: string[] = [];
  for (const input of inputs) {
    const head = await readHead(input);
    rows += await estimateRows(connection, head);
    names.push(head.path);
  }
  const needed = loadingBytes(rows);
  if (needed <= limit) return;
  const megabytes = (bytes: number) => `${Number((bytes / 1e6).toPrecision(3))} MB`;
  const advice =
    limit <= BASE_BYTES
      ? `Raise the limit: the program needs ${megabytes(BASE_BYTES)} before it reads a row.`
      : "Raise the limit, or read fewer rows with --sql and a WHERE clause.";
  throw new InputError(
    `--memory-limit: reading ${firstNames(names, 3) || "anything"} (about ${Number(rows.toPrecision(2))} rows) needs about ${megabytes(needed)}; the limit is ${megabytes(limit)}. ${advice}`,
  );
}

/** Number of rows of a file: exact for Parquet, otherwise its size divided by the mean length of the first lines. */
async function estimateRows(connection: DuckDBConnection, head: FileHead): Promise<number> {
  if (head.parquet) {
    const [rows] = await readNumbers(connection, `SELECT count(*) FROM read_parquet(${quotePath(head.file)})`).catch(
      () => [0], // A damaged file is refused when it is opened.
    );
    return rows;
  }
  const lines = head.text.split(/\r\n|\n|\r/).length - (head.complete ? 0 : 1);
  if (head.complete) return lines;
  const perRow = lines > 0 ? Buffer.byteLength(head.text) / lines : USUAL_ROW_BYTES;
  const { size } = await stat(head.file);
  return Math.ceil((size * head.expansion) / perRow);
}
