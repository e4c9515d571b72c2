/**
 * Progress of reading a graph, from DuckDB's own measure of the running query. For files that measure is the share of bytes
 * (Parquet: rows) read. The number of rows is exact for Parquet and for files already read; for text it is estimated from the
 * length of the first lines; for compressed text it is not known before the file is read.
 */

import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { FileHead } from "./sniff/file-head.js";
import { inputFile, inputName } from "./spool.js";

export interface ReadingProgress {
  /** Only "reading" knows how much is left; the others run several queries of unknown length. */
  readonly step: "reading" | "checking the rows" | "finding the nodes" | "numbering the edges";
  /** Share of the bytes of all files of edges that have been read, 0 to 1; undefined if unknown. */
  readonly share?: number;
  /** The file being read. */
  readonly file?: string;
  /** Bytes read, and of all files of edges. */
  readonly bytes?: number;
  readonly totalBytes?: number;
  /** Rows read so far, if known. */
  readonly rows?: number;
  /** Whether `rows` is an estimate. */
  readonly estimated?: boolean;
}

/** Between two looks at DuckDB's measure. */
const POLL_MILLISECONDS = 200;

export interface ReadingWatch {
  /** A file of edges is read from now on; `rows` have been read before. */
  file(head: FileHead, rows: number): void;
  step(step: ReadingProgress["step"]): void;
  end(): void;
}

/** Reports what the connection does to `onProgress` until `end()`. */
export async function watchReading(
  connection: DuckDBConnection,
  files: readonly string[],
  onProgress: ((progress: ReadingProgress) => void) | undefined,
): Promise<ReadingWatch> {
  if (onProgress === undefined) return { file: () => {}, step: () => {}, end: () => {} };
  // DuckDB measures only with its progress bar on; it must not print it.
  await connection.run(
    "SET enable_progress_bar = true; SET enable_progress_bar_print = false; SET progress_bar_time = 0",
  );
  const sizes = new Map<string, number>();
  for (const path of files) {
    const file = await inputFile(path).catch(() => path); // a fault is reported where the file is opened
    sizes.set(inputName(path), (await stat(file).catch(() => undefined))?.size ?? 0);
  }
  let totalBytes = 0;
  for (const size of sizes.values()) totalBytes += size;

  let current: { readonly head: FileHead; readonly before: number; readonly rows: number } | undefined;
  let step: ReadingProgress["step"] = "reading";
  let bytesBefore = 0;
  let lastShare = 0;
  const poll = () => {
    const { percentage, rows_processed: rowsProcessed } = connection.progress;
    const share = percentage >= 0 ? Math.min(1, percentage / 100) : undefined;
    // A share that falls belongs to the next query: the file is read, and its rows are checked.
    if (step === "reading" && current !== undefined && (share ?? 0) < lastShare) step = "checking the rows";
    lastShare = share ?? 0;
    report(share, Number(rowsProcessed));
  };
  const report = (share: number | undefined, rowsProcessed: number) => {
    if (step !== "reading" || current === undefined) return onProgress({ step });
    const { head, before, rows } = current;
    const bytes = (share ?? 0) * (sizes.get(head.path) ?? 0);
    const inFile = head.parquet ? rowsProcessed : head.gzip ? undefined : bytes * linesPerByte(head);
    onProgress({
      step,
      file: head.path,
      bytes: before + bytes,
      totalBytes,
      share: totalBytes === 0 ? undefined : (before + bytes) / totalBytes,
      ...(inFile === undefined ? {} : { rows: rows + Math.round(inFile), estimated: !head.parquet }),
    });
  };
  const timer = setInterval(poll, POLL_MILLISECONDS);
  timer.unref();
  return {
    file(head, rows) {
      if (current !== undefined) bytesBefore += sizes.get(current.head.path) ?? 0;
      current = { head, before: bytesBefore, rows };
      step = "reading";
      lastShare = 0;
      report(0, 0);
    },
    step(next) {
      step = next;
      report(0, 0);
    },
    end: () => clearInterval(timer),
  };
}

function linesPerByte({ text }: FileHead): number {
  if (text === "") return 0;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines / Buffer.byteLength(text);
}
