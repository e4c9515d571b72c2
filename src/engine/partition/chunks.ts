/** Rows per partial sum of a reduction: the same rules as in the kernels (../wasm/assembly/blocks.ts); the layout compares them. */

import type { Shape } from "./rule.js";

const FEW_CHUNKS = 64;
const LONG_CHUNK = 1024;
const MAX_CHUNKS = 256;
const MIN_CHUNK = 256;
const MIN_ENTRY_ROWS = 4;

function doubled(smallest: number, rows: number, maxChunks: number): number {
  let size = smallest;
  while (size * maxChunks < rows) size *= 2;
  return size;
}

function chunkSize(smallest: number, rows: number, maxChunks: number): number {
  const size = Math.min(doubled(smallest, rows, Math.min(maxChunks, FEW_CHUNKS)), LONG_CHUNK);
  return Math.max(size, doubled(smallest, rows, Math.min(maxChunks, MAX_CHUNKS)));
}

/** Rows per partial sum of rows. */
export function chunkRows(rows: number, maxChunks = MAX_CHUNKS): number {
  return chunkSize(MIN_CHUNK, rows, maxChunks);
}

/** Rows per partial sum of all entries. */
export function entryChunkRows({ rows, cols }: Shape): number {
  let smallest = MIN_CHUNK;
  while (smallest > MIN_ENTRY_ROWS && (smallest / 2) * cols >= MIN_CHUNK) smallest /= 2;
  return chunkSize(smallest, rows, MAX_CHUNKS);
}
