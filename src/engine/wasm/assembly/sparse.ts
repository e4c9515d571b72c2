// Rows of one tile of a sparse product: not a kernel of its own.
//
// Products are cut into tiles of 32 columns, tile after tile over all rows: eight vectors stay in registers. Where rows
// are read often enough the source is first packed tile by tile, so that one tile of a few thousand rows lies together
// and fits the second-level cache; left in place, its rows would be a power of two apart and share few cache sets.
//
// A source whose tiles fit no cache is not packed: the copy would be read from memory as well. There a block does all tiles
// of its rows, so that a row that was fetched is used whole, and the lines of all neighbours of a few rows are touched before
// they are summed: WebAssembly has no prefetch, and sums fill the processor's window with too few rows to hide a fetch.
import { ROWS, ceilDiv, madd } from "./common";
import { narrowRows } from "./narrow";
import { field, weight } from "./sparse-matrix";
import { dotTile, storeTile } from "./tile";

export { field } from "./sparse-matrix";

/** Reads per row of the source from which packing pays: one for the copy itself, one for its write. */
const PACK_READS: u32 = 3;
/** Rows of a source from which its tiles fit no cache: 8 MiB a tile, a quarter of what Neoverse N1 shares at its last level. */
export const FAR_ROWS: u32 = 65536;
/** Rows of a far product whose tiles are done one after the other: their sources stay in the first-level cache. */
export const GROUP: usize = 8;
/** Neighbours of a group touched ahead at most: what the first-level cache holds of them. */
const AHEAD: usize = 64;
const UNSEEN: u32 = 0x7fdeadbe;
/** An address below the binary's own data. */
const UNUSED: usize = 48;
/** Floats per tile. */
const TILE: i32 = 32;
export const TILE_BYTES: usize = 128;

/**
 * Blocks of a product with `rows` rows and `cols` columns and a source of `from` rows: ROWS rows of one tile each, tile by
 * tile; of all tiles when the source is far.
 */
// @ts-ignore: decorator
@inline
export function tileBlocks(rows: i32, cols: i32, from: u32): i32 {
  return ceilDiv(rows, ROWS) * (from >= FAR_ROWS ? 1 : ceilDiv(cols, TILE));
}

/** Whether the source of a product with this matrix is packed first. */
// @ts-ignore: decorator
@inline
export function packs(matrix: usize): bool {
  return <bool>(field(matrix, 7) < FAR_ROWS && field(matrix, 8) >= PACK_READS * field(matrix, 7));
}

/** Bytes of one row in the tile that starts `k` bytes into rows of `bytes`. */
// @ts-ignore: decorator
@inline
export function tileWidth(bytes: usize, k: usize): usize {
  return min<usize>(bytes - k, TILE_BYTES);
}

/** Copies ROWS rows of x into their tiles, times right_i where a right scale is given. The copy has `rows` rows. */
export function packRows(x: usize, rows: usize, bytes: usize, right: usize, block: i32, packed: usize): void {
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, rows);
  for (let k: usize = 0; k < bytes; k += TILE_BYTES) {
    const width = tileWidth(bytes, k), whole = width & ~15;
    let from = x + first * bytes + k, to = packed + k * rows + first * width;
    for (let i = first; i < last; i++, from += bytes, to += width) {
      const s: f32 = right ? load<f32>(right + (i << 2)) : 1, wide = f32x4.splat(s);
      let c: usize = 0;
      for (; c < whole; c += 16) v128.store(to + c, f32x4.mul(wide, v128.load(from + c)));
      for (; c < width; c += 4) store<f32>(to + c, s * load<f32>(from + c));
    }
  }
}

/**
 * Rows first … last−1 of one tile of q = diag(left)(A + cI)diag(right)·x: out (+)= factor·q. `out` points at the tile's
 * part of row 0, its rows are `bytes` apart, those of the source `stride`. With `values` 0 every entry of A is 1, with
 * `right` 0 the source is taken as scaled already: then only additions are made. Sums run over neighbours in stored order.
 * `add`: added to what `out` holds.
 */
export function sparseRows(
  matrix: usize, values: usize, right: usize, first: usize, last: usize, x: usize, stride: usize, width: usize,
  out: usize, bytes: usize, factor: f32, add: bool,
): void {
  if (width != TILE_BYTES) narrowRows(matrix, values, right, first, last, x, stride, width, out, bytes, factor, add, 0, 0);
  else if (values | right) weightedRows(false, matrix, values, right, first, last, x, stride, out, bytes, factor, add, 0, 0);
  else plainRows(false, matrix, 0, 0, first, last, x, stride, out, bytes, factor, add, 0, 0);
}

/** The same, and ⟨q, other⟩ over these rows is added to the float64 at `dot`; `other` is laid out as `out`. */
export function sparseRowsDot(
  matrix: usize, values: usize, right: usize, first: usize, last: usize, x: usize, stride: usize, width: usize,
  out: usize, bytes: usize, factor: f32, add: bool, other: usize, dot: usize,
): void {
  if (width != TILE_BYTES) narrowRows(matrix, values, right, first, last, x, stride, width, out, bytes, factor, add, other, dot);
  else if (values | right) weightedRows(true, matrix, values, right, first, last, x, stride, out, bytes, factor, add, other, dot);
  else plainRows(true, matrix, 0, 0, first, last, x, stride, out, bytes, factor, add, other, dot);
}

/**
 * Reads a word of each line of the neighbours of rows first … last−1: all are on their way when the sums need them. Two
 * threads on 500,000 nodes, 2 M edges, width 128: 266 ms instead of 364 with touches tile by tile; groups of 4 and 16 rows
 * are as good as 8.
 */
export function touchRows(matrix: usize, first: usize, last: usize, x: usize, bytes: usize): void {
  const starts = field(matrix, 0), columns = field(matrix, 1);
  let e = columns + (<usize>load<u32>(starts + (first << 2)) << 2), seen: u32 = 0;
  const end = min(columns + (<usize>load<u32>(starts + (last << 2)) << 2), e + (AHEAD << 2));
  for (; e < end; e += 4) {
    const p = x + <usize>load<u32>(e) * bytes;
    for (let k: usize = 0; k < bytes; k += TILE_BYTES) seen |= load<u32>(p + k) | load<u32>(p + k, 64);
  }
  // a number that no float of a run has: the words must be of use, or the compiler leaves the reads out
  if (seen == UNSEEN) store<u32>(UNUSED, seen);
}

/** A block of y = M·x, both with rows of `bytes`; `packed` 0: x is read in place. */
export function sparseBlock(
  matrix: usize, values: usize, block: i32, y: usize, rows: usize, bytes: usize, x: usize, packed: usize,
): void {
  const perTile = <i32>ceilDiv(<i32>rows, ROWS), from = field(matrix, 7), right = packed ? 0 : field(matrix, 4);
  let first = <usize>(block % perTile) * ROWS;
  const last = min<usize>(first + ROWS, rows);
  if (from < FAR_ROWS) {
    const k = <usize>(block / perTile) * TILE_BYTES, width = tileWidth(bytes, k);
    const source = packed ? packed + k * from : x + k, stride = packed ? width : bytes;
    sparseRows(matrix, values, right, first, last, source, stride, width, y + k, bytes, 1, false);
    return;
  }
  for (; first < last; first += GROUP) {
    const until = min(first + GROUP, last);
    touchRows(matrix, first, until, x, bytes);
    for (let k: usize = 0; k < bytes; k += TILE_BYTES) {
      sparseRows(matrix, values, right, first, until, x + k, bytes, tileWidth(bytes, k), y + k, bytes, 1, false);
    }
  }
}

// @ts-ignore: decorator
@inline
function plainRows(
  dotted: bool, matrix: usize, values: usize, right: usize, first: usize, last: usize, x: usize, stride: usize,
  out: usize, bytes: usize, factor: f32, add: bool, other: usize, dot: usize,
): void {
  const columns = field(matrix, 1), left = field(matrix, 3), own = load<f32>(matrix, 20);
  let rowStart = field(matrix, 0) + (first << 2), to = out + first * bytes, total: f64 = 0;
  let end = columns + (<usize>load<u32>(rowStart) << 2);
  for (let i = first; i < last; i++, to += bytes) {
    let e = end;
    rowStart += 4;
    end = columns + (<usize>load<u32>(rowStart) << 2);
    let self: f32 = own;
    const from = own != 0 ? x + i * stride : x, c = f32x4.splat(self);
    let s0 = f32x4.mul(c, v128.load(from)); let s1 = f32x4.mul(c, v128.load(from, 16));
    let s2 = f32x4.mul(c, v128.load(from, 32)); let s3 = f32x4.mul(c, v128.load(from, 48));
    let s4 = f32x4.mul(c, v128.load(from, 64)); let s5 = f32x4.mul(c, v128.load(from, 80));
    let s6 = f32x4.mul(c, v128.load(from, 96)); let s7 = f32x4.mul(c, v128.load(from, 112));
    for (; e < end; e += 4) {
      const p = x + <usize>load<u32>(e) * stride;
      s0 = f32x4.add(s0, v128.load(p)); s1 = f32x4.add(s1, v128.load(p, 16));
      s2 = f32x4.add(s2, v128.load(p, 32)); s3 = f32x4.add(s3, v128.load(p, 48));
      s4 = f32x4.add(s4, v128.load(p, 64)); s5 = f32x4.add(s5, v128.load(p, 80));
      s6 = f32x4.add(s6, v128.load(p, 96)); s7 = f32x4.add(s7, v128.load(p, 112));
    }
    const scale: f32 = left ? load<f32>(left + (i << 2)) : 1;
    if (dotted) {
      const q = f32x4.splat(scale);
      s0 = f32x4.mul(q, s0); s1 = f32x4.mul(q, s1); s2 = f32x4.mul(q, s2); s3 = f32x4.mul(q, s3);
      s4 = f32x4.mul(q, s4); s5 = f32x4.mul(q, s5); s6 = f32x4.mul(q, s6); s7 = f32x4.mul(q, s7);
      total += <f64>dotTile(s0, s1, s2, s3, s4, s5, s6, s7, other + i * bytes);
    }
    const f = f32x4.splat(dotted ? factor : factor * scale);
    storeTile(f, s0, s1, s2, s3, s4, s5, s6, s7, to, add);
  }
  if (dotted) store<f64>(dot, load<f64>(dot) + total);
}

// @ts-ignore: decorator
@inline
function weightedRows(
  dotted: bool, matrix: usize, values: usize, right: usize, first: usize, last: usize, x: usize, stride: usize,
  out: usize, bytes: usize, factor: f32, add: bool, other: usize, dot: usize,
): void {
  const columns = field(matrix, 1), left = field(matrix, 3), own = load<f32>(matrix, 20);
  let rowStart = field(matrix, 0) + (first << 2), to = out + first * bytes, total: f64 = 0;
  let end = columns + (<usize>load<u32>(rowStart) << 2);
  for (let i = first; i < last; i++, to += bytes) {
    let e = end;
    rowStart += 4;
    end = columns + (<usize>load<u32>(rowStart) << 2);
    let self: f32 = own;
    if (right) self *= load<f32>(right + (i << 2));
    const from = own != 0 ? x + i * stride : x, c = f32x4.splat(self);
    let s0 = f32x4.mul(c, v128.load(from)); let s1 = f32x4.mul(c, v128.load(from, 16));
    let s2 = f32x4.mul(c, v128.load(from, 32)); let s3 = f32x4.mul(c, v128.load(from, 48));
    let s4 = f32x4.mul(c, v128.load(from, 64)); let s5 = f32x4.mul(c, v128.load(from, 80));
    let s6 = f32x4.mul(c, v128.load(from, 96)); let s7 = f32x4.mul(c, v128.load(from, 112));
    for (; e < end; e += 4) {
      const w = f32x4.splat(weight(e, columns, values, right));
      const p = x + <usize>load<u32>(e) * stride;
      s0 = madd(w, v128.load(p), s0); s1 = madd(w, v128.load(p, 16), s1);
      s2 = madd(w, v128.load(p, 32), s2); s3 = madd(w, v128.load(p, 48), s3);
      s4 = madd(w, v128.load(p, 64), s4); s5 = madd(w, v128.load(p, 80), s5);
      s6 = madd(w, v128.load(p, 96), s6); s7 = madd(w, v128.load(p, 112), s7);
    }
    const scale: f32 = left ? load<f32>(left + (i << 2)) : 1;
    if (dotted) {
      const q = f32x4.splat(scale);
      s0 = f32x4.mul(q, s0); s1 = f32x4.mul(q, s1); s2 = f32x4.mul(q, s2); s3 = f32x4.mul(q, s3);
      s4 = f32x4.mul(q, s4); s5 = f32x4.mul(q, s5); s6 = f32x4.mul(q, s6); s7 = f32x4.mul(q, s7);
      total += <f64>dotTile(s0, s1, s2, s3, s4, s5, s6, s7, other + i * bytes);
    }
    const f = f32x4.splat(dotted ? factor : factor * scale);
    storeTile(f, s0, s1, s2, s3, s4, s5, s6, s7, to, add);
  }
  if (dotted) store<f64>(dot, load<f64>(dot) + total);
}
