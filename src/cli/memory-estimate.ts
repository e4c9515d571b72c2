/** Memory of a whole `embed` process, and the memory this machine can give. */

import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import { InputError } from "../core/errors.js";
import { formatBytes } from "../report/format.js";
import type { RunEstimate } from "../train/estimate.js";

/** Node, the program and DuckDB's library once a file was read. Peak resident size of `embed` on 100 edges. */
const BASE_BYTES = 130e6;
/** DuckDB's tables of strings and their codes while a file is read, per row. */
const IMPORT_BYTES_PER_ROW = 150;
/** Copies of state that a checkpoint or the model file makes, per parameter: 4 values read, 4 encoded, 4 bytes each. */
const CHECKPOINT_BYTES_PER_PARAMETER = 32;

/** Peak resident bytes of `embed`. */
export function estimateProcessBytes(estimate: RunEstimate, rows: number): number {
  const { engineBytes, graphBytes, numParameters } = estimate;
  const loading = IMPORT_BYTES_PER_ROW * rows;
  const training = engineBytes + numParameters * CHECKPOINT_BYTES_PER_PARAMETER;
  return BASE_BYTES + 2 * graphBytes + Math.max(loading, training);
}

export interface MemoryCheck {
  /** Bytes that may be taken; default: what is free. */
  readonly limit?: number;
  /** What to do when they are too few. */
  readonly advice: string;
}

/** Fails when more is needed than there is. */
export function requireMemory(needed: number, { limit, advice }: MemoryCheck): void {
  const available = limit ?? availableBytes();
  if (needed <= available) return;
  throw new InputError(
    `memory: about ${formatBytes(needed)} are needed; ${limit === undefined ? "there are" : "the limit is"} ${formatBytes(available)}. ${advice}`,
  );
}

/** Bytes a process can take now without pushing others out; the limit of a container counts too. */
export function availableBytes(): number {
  const limit = process.constrainedMemory?.() || Infinity;
  const withinLimit = limit > totalmem() ? Infinity : limit - process.memoryUsage.rss();
  return Math.min(withinLimit, machineBytes());
}

function machineBytes(): number {
  if (process.platform === "linux") {
    try {
      const match = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync("/proc/meminfo", "utf8"));
      if (match !== null) return Number(match[1]) * 1024;
    } catch {
      // no /proc here: the next best number
    }
  }
  // macOS counts its file cache as used
  return process.platform === "darwin" ? totalmem() : freemem();
}
