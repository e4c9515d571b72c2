// Sums of chosen rows, group by group: what the gradients of gathers share; not a kernel of its own.
//
//   out[r] = Σ over places p of group r, Σ_{q = p·k}^{p·k+k−1} c_q·x[rows_⌊q/m⌋],  k = |c|/|order|, m = |c|/|rows|
//
// args: out 0, scratch 3, start 4, order 7 (groups as `groupIndex` makes them), and if `weighted` c 10, rows 13, x 16,
// else x 10: then c is 1 and the row is p. MISSING rows add nothing; empty groups are zero.
//
// Blocks are of equal work whatever the sizes of the groups: the entries and the ends of rows form one path, merged in
// order, and a block is a fixed length of it (merge path; Merrill, Garland 2016). A row that ends in the block is stored;
// the part of a row that goes on is kept in scratch and added when all are done, in block order. Where the path is cut
// depends on the groups alone.
//
// Scratch per block: the row that goes on (16 bytes), its part (dim floats), a list of (row pointer, coefficient).
import { MISSING, ceilDiv, entries, madd, word } from "./common";

/** Rows summed in one block, about: 512 rows of 128 floats are 64 K multiply-adds. */
const WORK: i32 = 512;
/** Pointers and coefficients looked up before they are summed tile by tile: half a kilobyte stays in the first cache. */
const LIST: i32 = 64;
/** Eight vectors in registers; sixteen are no faster, nor is touching the rows before (bench/skip-gram.ts, Neoverse-N1). */
const TILE_BYTES: usize = 128;

// @ts-ignore: decorator
@inline
function perEntry(args: usize, weighted: bool): i32 {
  return weighted ? entries(args, 10) / max(1, <i32>word(args, 8)) : 1;
}

// @ts-ignore: decorator
@inline
function pathLength(args: usize, weighted: bool): i32 {
  return max(32, WORK / max(1, perEntry(args, weighted)));
}

// @ts-ignore: decorator
@inline
function partBytes(args: usize): usize {
  return ((<usize>word(args, 2) << 2) + 15) & ~15;
}

// @ts-ignore: decorator
@inline
function blockBytes(args: usize): usize {
  return 16 + partBytes(args) + (LIST << 3);
}

// @ts-ignore: decorator
@inline
export function groupedBlocks(args: usize, weighted: bool): i32 {
  return ceilDiv(<i32>word(args, 1) + <i32>word(args, 8), pathLength(args, weighted));
}

// @ts-ignore: decorator
@inline
export function groupedScratch(args: usize, weighted: bool): i32 {
  return groupedBlocks(args, weighted) * <i32>blockBytes(args);
}

/** Rows that end before place `at` of the path; the end of row i is its item i + start_{i+1}. */
function rowsBefore(start: usize, numRows: u32, at: u32): u32 {
  let low: u32 = 0, high = numRows;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (middle + load<u32>(start + (<usize>middle << 2), 4) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

// @ts-ignore: decorator
@inline
export function groupedRun(args: usize, block: i32, weighted: bool): void {
  const numRows = word(args, 1), bytes = <usize>word(args, 2) << 2, start = <usize>word(args, 4);
  const own = <usize>word(args, 3) + <usize>block * blockBytes(args), part = own + 16, list = part + partBytes(args);
  const length = <u32>pathLength(args, weighted), all = numRows + load<u32>(start + (<usize>numRows << 2));
  const begin = min(<u32>block * length, all), end = min(begin + length, all);
  const first = rowsBefore(start, numRows, begin), last = rowsBefore(start, numRows, end);
  let out = <usize>word(args, 0) + <usize>first * bytes, e = begin - first;
  for (let row = first; row < last; row++, out += bytes) {
    const stop = load<u32>(start + (<usize>row << 2), 4);
    sumEntries(args, e, stop, list, bytes, out, weighted);
    e = stop;
  }
  const goesOn = end - last > e;
  store<u32>(own, goesOn ? last : MISSING);
  if (goesOn) sumEntries(args, e, end - last, list, bytes, part, weighted);
}

// @ts-ignore: decorator
@inline
export function groupedFinishBlocks(args: usize): i32 {
  return ceilDiv(word(args, 2), <i32>(TILE_BYTES >> 2));
}

/** Adds one tile of every part that was kept, in block order. */
// @ts-ignore: decorator
@inline
export function groupedFinish(args: usize, tile: i32, weighted: bool): void {
  const bytes = <usize>word(args, 2) << 2, from = <usize>tile * TILE_BYTES, to = min(from + TILE_BYTES, bytes);
  let own = <usize>word(args, 3);
  for (let b = 0; b < groupedBlocks(args, weighted); b++, own += blockBytes(args)) {
    const row = load<u32>(own);
    if (row == MISSING) continue;
    const out = <usize>word(args, 0) + <usize>row * bytes, part = own + 16;
    for (let k = from; k < to; k += 4) store<f32>(out + k, load<f32>(out + k) + load<f32>(part + k));
  }
}

/** The sum over entries begin … end − 1 of the order, into `to`. */
// @ts-ignore: decorator
@inline
function sumEntries(args: usize, begin: u32, end: u32, list: usize, bytes: usize, to: usize, weighted: bool): void {
  const k = <u32>perEntry(args, weighted), m = weighted ? <u32>(entries(args, 10) / max(1, entries(args, 13))) : 1;
  const order = <usize>word(args, 7), c = <usize>word(args, 10), rows = weighted ? <usize>word(args, 13) : 0;
  const x = <usize>(weighted ? word(args, 16) : word(args, 10));
  const full = list + (LIST << 3);
  let at = list, add = false;
  for (let e = begin; e < end; e++) {
    const p = load<u32>(order + (<usize>e << 2));
    for (let q = p * k; q < (p + 1) * k; q++) {
      const row = weighted ? load<u32>(rows + (<usize>(m == 1 ? q : q / m) << 2)) : q;
      if (row == MISSING) continue;
      if (at == full) {
        sumList(list, at, bytes, to, add);
        at = list;
        add = true;
      }
      store<u32>(at, <u32>(x + <usize>row * bytes));
      store<f32>(at, weighted ? load<f32>(c + (<usize>q << 2)) : 1, 4);
      at += 8;
    }
  }
  sumList(list, at, bytes, to, add);
}

/** to (+)= Σ coefficient·row over the list. */
function sumList(list: usize, end: usize, bytes: usize, to: usize, add: bool): void {
  let k: usize = 0;
  for (; k + TILE_BYTES <= bytes; k += TILE_BYTES) sumTile(list, end, k, to + k, add);
  for (; k + 16 <= bytes; k += 16) {
    let sum = add ? v128.load(to + k) : f32x4.splat(0);
    for (let e = list; e < end; e += 8) sum = madd(v128.load32_splat(e, 4), v128.load(<usize>load<u32>(e) + k), sum);
    v128.store(to + k, sum);
  }
  for (; k < bytes; k += 4) {
    let sum: f32 = add ? load<f32>(to + k) : 0;
    for (let e = list; e < end; e += 8) sum += load<f32>(e, 4) * load<f32>(<usize>load<u32>(e) + k);
    store<f32>(to + k, sum);
  }
}

function sumTile(list: usize, end: usize, k: usize, to: usize, add: bool): void {
  let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  if (add) {
    s0 = v128.load(to);
    s1 = v128.load(to, 16);
    s2 = v128.load(to, 32);
    s3 = v128.load(to, 48);
    s4 = v128.load(to, 64);
    s5 = v128.load(to, 80);
    s6 = v128.load(to, 96);
    s7 = v128.load(to, 112);
  }
  for (let e = list; e < end; e += 8) {
    const c = v128.load32_splat(e, 4), x = <usize>load<u32>(e) + k;
    s0 = madd(c, v128.load(x), s0);
    s1 = madd(c, v128.load(x, 16), s1);
    s2 = madd(c, v128.load(x, 32), s2);
    s3 = madd(c, v128.load(x, 48), s3);
    s4 = madd(c, v128.load(x, 64), s4);
    s5 = madd(c, v128.load(x, 80), s5);
    s6 = madd(c, v128.load(x, 96), s6);
    s7 = madd(c, v128.load(x, 112), s7);
  }
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
  v128.store(to, s4, 64);
  v128.store(to, s5, 80);
  v128.store(to, s6, 96);
  v128.store(to, s7, 112);
}
