/**
 * Progress of reading a graph, from DuckDB's measure of the running query. For files, that measure is the share of bytes (Parquet:
 * rows) read. The number of rows is exact for Parquet and for files that have been read; for text it is estimated from the
 * length of the first lines; for compressed text it is unknown until the file has been read.
 */

import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { FileHead } from "../file-head.js";
import { inputFile, inputName } from "../spool.js";

/** Only "reading", the reading of edges, has a known share. The other steps run several queries of unknown length. */
export type ReadingStep =
  | "reading"
  | "checking the rows"
  | "reading the node list"
  | "reading the labels"
  | "reading the features"
  | "finding the nodes"
  | "building the features"
  | "numbering the edges"
  | "building the graph";

export interface ReadingProgress {
  readonly step: ReadingStep;
  /** Share of the bytes of all edge files that has been read, 0 to 1; undefined if unknown. */
  readonly share?: number;
  /** The file being read. */
  readonly file?: string;
  /** Bytes that have been read. */
  readonly bytes?: number;
  /** Bytes of all edge files. */
  readonly totalBytes?: number;
  /** Rows read so far, if known. */
  readonly rows?: number;
  /** Whether `rows` is an estimate. */
  readonly estimated?: boolean;
}

/** Milliseconds between two reports; not tuned. */
const POLL_MILLISECONDS = 200;

export interface ReadingWatch {
  /** Announces that reading of an edge file begins; `rows` rows were read before. */
  file(head: FileHead, rows: number): void;
  /** Announces the next step. */
  step(step: ReadingStep): void;
  end(): void;
}

/** Reports the progress of the connection to `onProgress` until `end()`. */
export async function watchReading(
  connection: DuckDBConnection,
  files: readonly string[],
  onProgress: ((progress: ReadingProgress) => void) | undefined,
): Promise<ReadingWatch> {
  if (onProgress === undefined) return { file: () => {}, step: () => {}, end: () => {} };
  // DuckDB measures progress only if its progress bar is on; printing it is switched off.
  await connection.run(
    "SET enable_progress_bar = true; SET enable_progress_bar_print = false; SET progress_bar_time = 0",
  );
  const sizes = new Map<string, number>();
  for (const path of files) {
    const file = await inputFile(path).catch(() => path); // A fault is reported when the file is opened.
    sizes.set(inputName(path), (await stat(file).catch(() => undefined))?.size ?? 0);
  }
  let totalBytes = 0;
  for (const size of sizes.values()) totalBytes += size;

  let current: { readonly head: FileHead; readonly before: number; readonly rows: number } | undefined;
  let step: ReadingStep = "reading";
  let bytesBefore = 0;
  let lastShare = 0;
  const poll = () => {
    const { percentage, rows_processed: rowsProcessed } = connection.progress;
    const share = percentage >= 0 ? Math.min(1, percentage / 100) : undefined;
    // The share falls when the next query begins: the file has been read, and its rows are checked.
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
