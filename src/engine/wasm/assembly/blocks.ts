/**
 * How kernels cut their work into blocks: by shape alone, never by the number of threads. Every function is inlined, so a block
 * pays no call.
 *
 * Row-wise kernels take ROWS rows a block, entry-wise kernels ENTRIES entries. Reductions cut rows into chunks of a power of two of
 * rows: at most FEW_CHUNKS or, if these had more than LONG_CHUNK rows, at most MAX_CHUNKS. Each chunk writes a partial sum to scratch and `finish` adds the partial sums in order. Powers of two
 * let chunks of tensors with n and 2n rows end at the same rows, where a partitioned program cuts them (../../partition).
 */
import { entries, word } from "./kernel";

/** Entries per block of an entry-wise kernel: 64 KiB of each tensor stay in the second-level cache. */
export const ENTRIES: i32 = 16384;
/** Rows per block of a row-wise kernel. */
export const ROWS: i32 = 64;
/** Number of partial sums that gives every thread work. */
const FEW_CHUNKS: i32 = 64;
/** Rows of a chunk from which on more chunks cost nothing: adding a partial sum takes 1/1024 of the time of the sum itself. */
const LONG_CHUNK: i32 = 1024;
/**
 * Largest number of partial sums of a reduction: bounds its scratch space. Ranges of ranks end where chunks end, so with 129 to 256
 * chunks 16 ranks have at most 6 % more nodes than on average.
 */
const MAX_CHUNKS: i32 = 256;
/** Smallest number of rows per partial sum of rows, and of entries per partial sum of entries. */
const MIN_CHUNK: i32 = 256;
/** Smallest number of rows per partial sum of entries: a chunk has a multiple of four entries, whole vectors. */
const MIN_ENTRY_ROWS: i32 = 4;

// @ts-ignore: decorator
@inline
export function ceilDiv(a: i32, b: i32): i32 {
  return (a + b - 1) / b;
}

/** Blocks of a row-wise kernel over the tensor at word i. */
// @ts-ignore: decorator
@inline
export function rowBlocks(args: usize, i: i32): i32 {
  return ceilDiv(word(args, i + 1), ROWS);
}

/** First row of a block. */
// @ts-ignore: decorator
@inline
export function firstRow(block: i32): usize {
  return <usize>block * ROWS;
}

/** One past the last row of a block over the tensor at word i. */
// @ts-ignore: decorator
@inline
export function endRow(args: usize, i: i32, block: i32): usize {
  return min<usize>(firstRow(block) + ROWS, word(args, i + 1));
}

/** Blocks of an entry-wise kernel over the tensor at word i. */
// @ts-ignore: decorator
@inline
export function entryBlocks(args: usize, i: i32): i32 {
  return ceilDiv(entries(args, i), ENTRIES);
}

/** First entry of a block. */
// @ts-ignore: decorator
@inline
export function firstEntry(block: i32): i32 {
  return block * ENTRIES;
}

/** One past the last entry of a block over the tensor at word i. */
// @ts-ignore: decorator
@inline
export function endEntry(args: usize, i: i32, block: i32): i32 {
  return min(firstEntry(block) + ENTRIES, entries(args, i));
}

/** Bytes from the start of a tensor to the first entry of a block. */
// @ts-ignore: decorator
@inline
export function firstByte(block: i32): usize {
  return <usize>block * (ENTRIES << 2);
}

/** Bytes from the start of the tensor at word i to the end of a block. */
// @ts-ignore: decorator
@inline
export function endByte(args: usize, i: i32, block: i32): usize {
  return min<usize>(firstByte(block) + (ENTRIES << 2), <usize>entries(args, i) << 2);
}

/** `smallest` times the smallest power of two that cuts `rows` rows into at most `maxChunks` chunks. */
function doubled(smallest: i32, rows: i32, maxChunks: i32): i32 {
  let size = smallest;
  while (<i64>size * maxChunks < rows) size <<= 1;
  return size;
}

/** Rows of a chunk: `smallest` times a power of two. */
function chunkSize(smallest: i32, rows: i32, maxChunks: i32): i32 {
  const size = min(doubled(smallest, rows, min(maxChunks, FEW_CHUNKS)), LONG_CHUNK);
  return max(size, doubled(smallest, rows, min(maxChunks, MAX_CHUNKS)));
}

/** Rows per partial sum of `rows` rows. */
export function chunkRows(rows: i32, maxChunks: i32 = MAX_CHUNKS): i32 {
  return chunkSize(MIN_CHUNK, rows, maxChunks);
}

/** Number of partial sums of `rows` rows. */
// @ts-ignore: decorator
@inline
export function chunkBlocks(rows: i32): i32 {
  return ceilDiv(rows, chunkRows(rows));
}

/** Rows per partial sum of all entries of the tensor at word i. */
export function entryChunkRows(args: usize, i: i32): i32 {
  let smallest = MIN_CHUNK;
  while (smallest > MIN_ENTRY_ROWS && (smallest >> 1) * <i32>word(args, i + 2) >= MIN_CHUNK) smallest >>= 1;
  return chunkSize(smallest, word(args, i + 1), MAX_CHUNKS);
}

/** Number of partial sums of all entries of the tensor at word i. */
// @ts-ignore: decorator
@inline
export function entryChunks(args: usize, i: i32): i32 {
  return ceilDiv(word(args, i + 1), entryChunkRows(args, i));
}

/** First row of a chunk of the entries of the tensor at word i. */
// @ts-ignore: decorator
@inline
export function firstChunkRow(args: usize, i: i32, chunk: i32): usize {
  return min<usize>(<usize>chunk * entryChunkRows(args, i), word(args, i + 1));
}

/**
 * Number of entries of a chunk of the tensor at word i. Kernels number entries from the start of a chunk: on one of several ranks the
 * tensor may have more entries than 32 bits can number, but a chunk is stored, so its entries can be numbered.
 */
// @ts-ignore: decorator
@inline
export function chunkEntries(args: usize, i: i32, chunk: i32): i32 {
  return <i32>(firstChunkRow(args, i, chunk + 1) - firstChunkRow(args, i, chunk)) * <i32>word(args, i + 2);
}

/** Sum of `count` float64 partial sums, in order. */
// @ts-ignore: decorator
@inline
export function sumPartials(parts: usize, count: i32): f64 {
  let sum: f64 = 0;
  for (let b = 0; b < count; b++) sum += load<f64>(parts + (<usize>b << 3));
  return sum;
}
