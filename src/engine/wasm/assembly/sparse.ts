// Rows of one tile of a sparse product: not a kernel.
//
// Products are cut into tiles of 32 columns, tile after tile over all rows: eight vectors stay in registers. If the rows of the
// source are read often enough, the source is first packed tile by tile, so that one tile of a few thousand rows lies together
// and fits the second-level cache. In place, its rows would be a power of two apart and share few cache sets.
//
// A source whose rows are read too seldom, or whose tiles fit no cache ("far"), stays in place: its copy would be read from memory
// as well. Then a block computes all tiles of its rows, so that a fetched row is used whole, and the cache lines of all neighbours of
// a few rows are touched before they are summed: WebAssembly has no prefetch, and sums fill the processor's window with too few
// rows to hide a fetch (5,124 nodes, 13,200 entries, width 128: 1.1 ms instead of 1.3 tile by tile). The right scales of a far
// source are multiplied into the values of the entries (field 9), which are read in order: a scale for each neighbour would be
// one more fetch (500,000 nodes, 2 M entries, width 128, one thread: 341 ms instead of 441).
//
// The loop over neighbours takes two per turn, one after the other: where memory is shared and addresses are checked, V8 computes
// the addresses of the eight vectors again in every turn (4,083 nodes, 1.4 M entries, width 128 on Node 20, one thread: 40 ms
// instead of 46). Four per turn are no faster, and spill registers if entries have values. Cutting the columns into parts that
// fit the first-level cache is no faster either: a neighbour costs 12 cycles instead of 14, but loading and storing the sums of a
// part costs 106.
import { ROWS, ceilDiv, firstRow } from "./blocks";
import { madd, scaleRow } from "./vector";
import { narrowRows } from "./narrow";
import { field, weight } from "./sparse-matrix";
import { touchRow, touched } from "./touch";
import { TILE_BYTES, ZEROS, dotTile, maskBytes, positive, storeTile } from "./tile";

export { field } from "./sparse-matrix";
export { TILE_BYTES } from "./tile";

/** Packing pays if the rows of the source are read at least this often on average: the copy itself costs a read and a write. */
const PACK_READS: u32 = 3;
/** A source with at least this many rows is far: a tile takes 8 MiB, a quarter of the last-level cache of a Neoverse N1. */
export const FAR_ROWS: u32 = 65536;
/** Rows whose tiles are computed one after the other if the source is in place: their neighbours stay in the first-level cache. */
export const GROUP: usize = 8;
/** Largest number of neighbours that are touched for a group of rows: as many as the first-level cache holds. */
const AHEAD: usize = 64;
/** Floats per tile. */
const TILE: i32 = 32;

/** Use of the sums of a row: stored; stored and multiplied with another row; or passed through bias and ReLU. */
const STORE: i32 = 0;
const DOT: i32 = 1;
const ACTIVATE: i32 = 2;

/** Blocks of a product with `rows` rows and `cols` columns: ROWS rows of one tile each with `byTile`, otherwise of all tiles. */
// @ts-ignore: decorator
@inline
export function tileBlocks(rows: i32, cols: i32, byTile: bool): i32 {
  return ceilDiv(rows, ROWS) * (byTile ? ceilDiv(cols, TILE) : 1);
}

/** Whether the source of a product with this matrix is packed first. */
// @ts-ignore: decorator
@inline
export function isSourcePacked(matrix: usize): bool {
  return !isFar(matrix) && <bool>(field(matrix, 11) >= PACK_READS * field(matrix, 10));
}

/** Whether the source of a product with this matrix has too many rows for the caches. */
// @ts-ignore: decorator
@inline
export function isFar(matrix: usize): bool {
  return <bool>(field(matrix, 10) >= FAR_ROWS);
}

/** Bytes of one row in the tile that starts `k` bytes into rows of `bytes`. */
// @ts-ignore: decorator
@inline
export function tileWidth(bytes: usize, k: usize): usize {
  return min<usize>(bytes - k, TILE_BYTES);
}

/** Blocks of `packRows` over `rows` rows of the source. */
// @ts-ignore: decorator
@inline
export function packBlocks(matrix: usize, rows: i32): i32 {
  return isSourcePacked(matrix) ? ceilDiv(rows, ROWS) : 0;
}

/** Copies a block of ROWS rows of x, times right_i if `right` is not 0, into their tiles. The copy has `rows` rows. */
export function packRows(x: usize, rows: usize, bytes: usize, right: usize, block: i32, packed: usize): void {
  const first = firstRow(block), last = min<usize>(first + ROWS, rows);
  for (let k: usize = 0; k < bytes; k += TILE_BYTES) {
    const width = tileWidth(bytes, k);
    let from = x + first * bytes + k, to = packed + k * rows + first * width;
    for (let i = first; i < last; i++, from += bytes, to += width) {
      scaleRow(to, from, width, right ? load<f32>(right + (i << 2)) : 1);
    }
  }
}

/**
 * Rows first … last−1 of one tile of q = diag(left)(A + cI)diag(right)·x: out = factor·q, plus `old` if that is not 0. `out` and
 * `old` point at the tile's part of row 0; their rows are `bytes` apart, those of the source `stride`. `values` 0: every entry
 * of A is 1. `right` 0: the source is scaled already. With both 0 only additions are made. Sums run over neighbours in stored
 * order.
 */
export function sparseRows(
  matrix: usize, values: usize, right: usize, first: usize, last: usize, x: usize, stride: usize, width: usize,
  out: usize, bytes: usize, factor: f32, old: usize,
): void {
  rowsOf(STORE, matrix, values, right, first, last, x, stride, width, out, bytes, factor, old, 0, 0);
}

/** As `sparseRows`; also adds ⟨q, other⟩ over these rows to the float64 at `dot`. `other` has the layout of `out`. */
export function sparseRowsDot(
  matrix: usize, values: usize, right: usize, first: usize, last: usize, x: usize, stride: usize, width: usize,
  out: usize, bytes: usize, factor: f32, old: usize, other: usize, dot: usize,
): void {
  rowsOf(DOT, matrix, values, right, first, last, x, stride, width, out, bytes, factor, old, other, dot);
}

/**
 * out = factor·max(q + bias, 0). `bias` and `mask` point at the tile's part of their rows; a row of the mask has one word per
 * tile, with a bit set where q + bias > 0.
 */
export function activeRows(
  matrix: usize, values: usize, right: usize, first: usize, last: usize, x: usize, stride: usize, width: usize,
  out: usize, bytes: usize, factor: f32, bias: usize, mask: usize,
): void {
  rowsOf(ACTIVATE, matrix, values, right, first, last, x, stride, width, out, bytes, factor, 0, bias, mask);
}

/**
 * Reads a word of each cache line of the neighbours of rows first … last−1, so that they are being fetched when the sums need
 * them. Two threads on 500,000 nodes, 2 M edges, width 128: 266 ms instead of 364 with touches tile by tile; groups of 4 and 16
 * rows are as fast as 8.
 */
export function touchRows(matrix: usize, first: usize, last: usize, x: usize, bytes: usize): void {
  const starts = field(matrix, 0), columns = field(matrix, 1);
  let e = columns + (<usize>load<u32>(starts + (first << 2)) << 2), seen: u32 = 0;
  const end = min(columns + (<usize>load<u32>(starts + (last << 2)) << 2), e + (AHEAD << 2));
  for (; e < end; e += 4) {
    seen |= touchRow(x + <usize>load<u32>(e) * bytes, bytes);
  }
  touched(seen);
}

/** A block of y = M·x, both with rows of `bytes`; `packed` 0: x is read in place. */
export function sparseBlock(
  matrix: usize, values: usize, block: i32, y: usize, rows: usize, bytes: usize, x: usize, packed: usize,
): void {
  blockOf(STORE, matrix, values, packed ? 0 : field(matrix, 4), block, y, rows, bytes, x, packed, 1, 0, 0);
}

/** A block of y = factor·max(M·x + bias, 0) and its mask. */
export function activeBlock(
  matrix: usize, block: i32, y: usize, rows: usize, bytes: usize, x: usize, packed: usize, factor: f32, bias: usize,
  mask: usize,
): void {
  const right = packed ? 0 : field(matrix, 4);
  blockOf(ACTIVATE, matrix, field(matrix, 2), right, block, y, rows, bytes, x, packed, factor, bias, mask);
}

/** A block of y = diag(left)(A + cI)·x: x is already multiplied by the right scales. */
export function scaledBlock(
  matrix: usize, block: i32, y: usize, rows: usize, bytes: usize, x: usize, packed: usize,
): void {
  blockOf(STORE, matrix, field(matrix, 2), 0, block, y, rows, bytes, x, packed, 1, 0, 0);
}

// @ts-ignore: decorator
@inline
function blockOf(
  use: i32, matrix: usize, values: usize, right: usize, block: i32, y: usize, rows: usize, bytes: usize, x: usize,
  packed: usize, factor: f32, bias: usize, mask: usize,
): void {
  const perTile = <i32>ceilDiv(<i32>rows, ROWS), from = field(matrix, 7), byTile = isSourcePacked(matrix);
  let first = <usize>(block % perTile) * ROWS, until = min<usize>(first + ROWS, rows);
  const last = until;
  const k = byTile ? <usize>(block / perTile) * TILE_BYTES : 0;
  const end = byTile ? k + 1 : bytes;
  for (; first < last; first = until) {
    if (!byTile) {
      until = min(first + GROUP, last);
      touchRows(matrix, first, until, x, bytes);
    }
    for (let tile = k; tile < end; tile += TILE_BYTES) {
      const width = tileWidth(bytes, tile), part = tile / TILE_BYTES;
      const source = packed ? packed + tile * from : x + tile, stride = packed ? width : bytes;
      if (use == ACTIVATE) {
        activeRows(
          matrix, values, right, first, until, source, stride, width, y + tile, bytes, factor, bias + tile,
          mask + (part << 2),
        );
      } else {
        sparseRows(matrix, values, right, first, until, source, stride, width, y + tile, bytes, factor, 0);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function rowsOf(
  use: i32, matrix: usize, values: usize, right: usize, first: usize, last: usize, x: usize, stride: usize, width: usize,
  out: usize, bytes: usize, factor: f32, old: usize, other: usize, extra: usize,
): void {
  const folded = right != 0 && values == field(matrix, 2) ? field(matrix, 9) : 0;
  const v = folded ? folded : values, r = folded ? 0 : right;
  if (width != TILE_BYTES) {
    const dot = use == DOT ? extra : 0, bias = use == ACTIVATE ? other : 0;
    narrowRows(matrix, v, r, right, first, last, x, stride, width, out, bytes, factor, old, other, dot, bias, extra);
  } else if (v | r) {
    tileRows(true, use, matrix, v, r, right, first, last, x, stride, out, bytes, factor, old, other, extra);
  } else {
    tileRows(false, use, matrix, 0, 0, 0, first, last, x, stride, out, bytes, factor, old, other, extra);
  }
}

/** `right`: scales of neighbours, 0 if the values contain them; `own`: scales of the rows themselves, for the diagonal. */
// @ts-ignore: decorator
@inline
function tileRows(
  weighted: bool, use: i32, matrix: usize, values: usize, right: usize, own: usize, first: usize, last: usize, x: usize,
  stride: usize, out: usize, bytes: usize, factor: f32, old: usize, other: usize, extra: usize,
): void {
  const columns = field(matrix, 1), left = field(matrix, 3), diagonal = load<f32>(matrix, 20);
  const words = maskBytes(bytes);
  let rowStart = field(matrix, 0) + (first << 2), to = out + first * bytes, total: f64 = 0;
  let end = columns + (<usize>load<u32>(rowStart) << 2);
  for (let i = first; i < last; i++, to += bytes) {
    let e = end;
    rowStart += 4;
    end = columns + (<usize>load<u32>(rowStart) << 2);
    let self: f32 = diagonal;
    // without a diagonal there may be no scale for row i: the matrix may have more rows than columns
    if (weighted && own && diagonal != 0) self *= load<f32>(own + (i << 2));
    const from = diagonal != 0 ? x + i * stride : ZEROS, c = f32x4.splat(self);
    let s0 = f32x4.mul(c, v128.load(from)); let s1 = f32x4.mul(c, v128.load(from, 16));
    let s2 = f32x4.mul(c, v128.load(from, 32)); let s3 = f32x4.mul(c, v128.load(from, 48));
    let s4 = f32x4.mul(c, v128.load(from, 64)); let s5 = f32x4.mul(c, v128.load(from, 80));
    let s6 = f32x4.mul(c, v128.load(from, 96)); let s7 = f32x4.mul(c, v128.load(from, 112));
    if (weighted) {
      let w = f32x4.splat(0);
      for (; e + 4 < end; e += 8) {
        const p = x + <usize>load<u32>(e) * stride;
        const q = x + <usize>load<u32>(e, 4) * stride;
        w = f32x4.splat(weight(e, columns, values, right));
        s0 = madd(w, v128.load(p), s0); s1 = madd(w, v128.load(p, 16), s1);
        s2 = madd(w, v128.load(p, 32), s2); s3 = madd(w, v128.load(p, 48), s3);
        s4 = madd(w, v128.load(p, 64), s4); s5 = madd(w, v128.load(p, 80), s5);
        s6 = madd(w, v128.load(p, 96), s6); s7 = madd(w, v128.load(p, 112), s7);
        w = f32x4.splat(weight(e + 4, columns, values, right));
        s0 = madd(w, v128.load(q), s0); s1 = madd(w, v128.load(q, 16), s1);
        s2 = madd(w, v128.load(q, 32), s2); s3 = madd(w, v128.load(q, 48), s3);
        s4 = madd(w, v128.load(q, 64), s4); s5 = madd(w, v128.load(q, 80), s5);
        s6 = madd(w, v128.load(q, 96), s6); s7 = madd(w, v128.load(q, 112), s7);
      }
      if (e < end) {
        const p = x + <usize>load<u32>(e) * stride;
        w = f32x4.splat(weight(e, columns, values, right));
        s0 = madd(w, v128.load(p), s0); s1 = madd(w, v128.load(p, 16), s1);
        s2 = madd(w, v128.load(p, 32), s2); s3 = madd(w, v128.load(p, 48), s3);
        s4 = madd(w, v128.load(p, 64), s4); s5 = madd(w, v128.load(p, 80), s5);
        s6 = madd(w, v128.load(p, 96), s6); s7 = madd(w, v128.load(p, 112), s7);
      }
    } else {
      for (; e + 4 < end; e += 8) {
        const p = x + <usize>load<u32>(e) * stride;
        const q = x + <usize>load<u32>(e, 4) * stride;
        s0 = f32x4.add(s0, v128.load(p)); s1 = f32x4.add(s1, v128.load(p, 16));
        s2 = f32x4.add(s2, v128.load(p, 32)); s3 = f32x4.add(s3, v128.load(p, 48));
        s4 = f32x4.add(s4, v128.load(p, 64)); s5 = f32x4.add(s5, v128.load(p, 80));
        s6 = f32x4.add(s6, v128.load(p, 96)); s7 = f32x4.add(s7, v128.load(p, 112));
        s0 = f32x4.add(s0, v128.load(q)); s1 = f32x4.add(s1, v128.load(q, 16));
        s2 = f32x4.add(s2, v128.load(q, 32)); s3 = f32x4.add(s3, v128.load(q, 48));
        s4 = f32x4.add(s4, v128.load(q, 64)); s5 = f32x4.add(s5, v128.load(q, 80));
        s6 = f32x4.add(s6, v128.load(q, 96)); s7 = f32x4.add(s7, v128.load(q, 112));
      }
      if (e < end) {
        const p = x + <usize>load<u32>(e) * stride;
        s0 = f32x4.add(s0, v128.load(p)); s1 = f32x4.add(s1, v128.load(p, 16));
        s2 = f32x4.add(s2, v128.load(p, 32)); s3 = f32x4.add(s3, v128.load(p, 48));
        s4 = f32x4.add(s4, v128.load(p, 64)); s5 = f32x4.add(s5, v128.load(p, 80));
        s6 = f32x4.add(s6, v128.load(p, 96)); s7 = f32x4.add(s7, v128.load(p, 112));
      }
    }
    const scale: f32 = left ? load<f32>(left + (i << 2)) : 1;
    if (use != STORE) {
      const q = f32x4.splat(scale);
      s0 = f32x4.mul(q, s0); s1 = f32x4.mul(q, s1); s2 = f32x4.mul(q, s2); s3 = f32x4.mul(q, s3);
      s4 = f32x4.mul(q, s4); s5 = f32x4.mul(q, s5); s6 = f32x4.mul(q, s6); s7 = f32x4.mul(q, s7);
    }
    if (use == DOT) total += <f64>dotTile(s0, s1, s2, s3, s4, s5, s6, s7, other + i * bytes);
    if (use == ACTIVATE) {
      s0 = f32x4.add(s0, v128.load(other)); s1 = f32x4.add(s1, v128.load(other, 16));
      s2 = f32x4.add(s2, v128.load(other, 32)); s3 = f32x4.add(s3, v128.load(other, 48));
      s4 = f32x4.add(s4, v128.load(other, 64)); s5 = f32x4.add(s5, v128.load(other, 80));
      s6 = f32x4.add(s6, v128.load(other, 96)); s7 = f32x4.add(s7, v128.load(other, 112));
      store<u32>(extra + i * words, positive(s0, s1, s2, s3) | (positive(s4, s5, s6, s7) << 16));
      const zero = f32x4.splat(0);
      s0 = f32x4.max(s0, zero); s1 = f32x4.max(s1, zero); s2 = f32x4.max(s2, zero); s3 = f32x4.max(s3, zero);
      s4 = f32x4.max(s4, zero); s5 = f32x4.max(s5, zero); s6 = f32x4.max(s6, zero); s7 = f32x4.max(s7, zero);
    }
    const f = f32x4.splat(use == STORE ? factor * scale : factor);
    storeTile(f, s0, s1, s2, s3, s4, s5, s6, s7, to, old ? old + i * bytes : 0);
  }
  if (use == DOT) store<f64>(extra, load<f64>(extra) + total);
}
