// Stable counting sort of places by the row they name; the op has the definition. args: start 0, order 3, first row 6, scratch 7,
// index 8.
// The places are cut into chunks, the rows into ranges. prepare, one chunk: how often it names each row, and the sum of
// these counts over each range. run, one range: the first place of each row, and of each chunk within the row. finish, one
// chunk: puts its places in order. MISSING places come last. Scratch: counts [chunk][row], then sums [chunk][range].
import { ceilDiv } from "./blocks";
import { MISSING, entries, word } from "./kernel";

/** Largest number of chunks: bounds the scratch space. */
const MAX_CHUNKS: i32 = 16;
/** Smallest number of places per chunk: with fewer, counting costs more than the threads gain. Not tuned. */
const MIN_CHUNK: i32 = 4096;
/** Rows per range. Not tuned. */
const RANGE: i32 = 4096;

// @ts-ignore: decorator
@inline
function numRows(args: usize): i32 {
  return <i32>word(args, 1) - 1;
}

/** Number of chunks. With many rows there are few: all counts together are at most twice as many as places, or one chunk's. */
function chunks(args: usize): i32 {
  return max(1, min(MAX_CHUNKS, entries(args, 8) / max(MIN_CHUNK, numRows(args) >> 1)));
}

// @ts-ignore: decorator
@inline
function ranges(args: usize): i32 {
  return max(1, ceilDiv(numRows(args), RANGE));
}

// @ts-ignore: decorator
@inline
function countsOf(args: usize, chunk: i32): usize {
  return <usize>word(args, 7) + ((<usize>chunk * numRows(args)) << 2);
}

// @ts-ignore: decorator
@inline
function sumsOf(args: usize, chunk: i32): usize {
  return countsOf(args, chunks(args)) + ((<usize>chunk * ranges(args)) << 2);
}

export function scratch(args: usize): i32 {
  return chunks(args) * (numRows(args) + ranges(args)) * 4;
}

export function prepareBlocks(args: usize): i32 {
  return chunks(args);
}

export function prepare(args: usize, chunk: i32): void {
  const size = entries(args, 8), rows = numRows(args), per = ceilDiv(size, chunks(args));
  const counts = countsOf(args, chunk), sums = sumsOf(args, chunk);
  const index = <usize>word(args, 8), first = word(args, 6);
  memory.fill(counts, 0, <usize>rows << 2);
  for (let p = chunk * per; p < min((chunk + 1) * per, size); p++) {
    const row = load<u32>(index + (<usize>p << 2)) - first;
    if (row >= <u32>rows) continue;
    const at = counts + (<usize>row << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  for (let range = 0; range < ranges(args); range++) {
    let sum: u32 = 0;
    for (let r = range * RANGE; r < min((range + 1) * RANGE, rows); r++) sum += load<u32>(counts + (<usize>r << 2));
    store<u32>(sums + (<usize>range << 2), sum);
  }
}

export function blocks(args: usize): i32 {
  return ranges(args);
}

export function run(args: usize, range: i32): void {
  const rows = numRows(args), count = chunks(args), all = ranges(args);
  const stride = <usize>rows << 2, start = <usize>word(args, 0);
  let at: u32 = 0;
  for (let c = 0; c < count; c++) {
    for (let r = 0; r < range; r++) at += load<u32>(sumsOf(args, c) + (<usize>r << 2));
  }
  for (let r = range * RANGE; r < min((range + 1) * RANGE, rows); r++) {
    store<u32>(start + (<usize>r << 2), at);
    let counts = countsOf(args, 0) + (<usize>r << 2);
    for (let c = 0; c < count; c++, counts += stride) {
      const n = load<u32>(counts);
      store<u32>(counts, at);
      at += n;
    }
  }
  if (range + 1 < all) return;
  store<u32>(start + (<usize>rows << 2), at);
  const order = <usize>word(args, 3), size = entries(args, 8);
  for (let p = at; p < <u32>size; p++) store<u32>(order + (<usize>p << 2), MISSING);
}

export function finishBlocks(args: usize): i32 {
  return chunks(args);
}

export function finish(args: usize, chunk: i32): void {
  const size = entries(args, 8), rows = numRows(args), per = ceilDiv(size, chunks(args));
  const places = countsOf(args, chunk), index = <usize>word(args, 8), order = <usize>word(args, 3);
  const first = word(args, 6);
  for (let p = chunk * per; p < min((chunk + 1) * per, size); p++) {
    const row = load<u32>(index + (<usize>p << 2)) - first;
    if (row >= <u32>rows) continue;
    const at = places + (<usize>row << 2), place = load<u32>(at);
    store<u32>(at, place + 1);
    store<u32>(order + (<usize>place << 2), p);
  }
}
