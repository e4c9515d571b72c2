// One tile of one row of a sparse product: not a kernel of its own.
//
// A matrix M = diag(left)(A + cI)diag(right) is a descriptor of 32-bit words:
// 0 rowStart, 1 columns, 2 values (0: all ones), 3 left (0: ones), 4 right (0: ones), 5 c (float), 6 rows, 7 columns,
// 8 stored entries.
//
// Products are cut into tiles of 32 columns, tile after tile over all rows: eight vectors stay in registers. Where rows
// are read often enough the source is first packed tile by tile, so that one tile of a few thousand rows lies together
// and fits the second-level cache; left in place, its rows would be a power of two apart and share few cache sets.
import { ROWS, ceilDiv, madd } from "./common";

/** Reads per row of the source from which packing pays: one for the copy itself, one for its write. */
export const PACK_READS: u32 = 3;
/** Floats per tile. */
export const TILE: i32 = 32;
const TILE_BYTES: usize = 128;

// @ts-ignore: decorator
@inline
export function field(matrix: usize, i: i32): usize {
  return load<u32>(matrix + (<usize>i << 2));
}

/** Blocks of a product with `rows` rows and `cols` columns: ROWS rows of one tile each, tile by tile. */
// @ts-ignore: decorator
@inline
export function tileBlocks(rows: i32, cols: i32): i32 {
  return ceilDiv(rows, ROWS) * ceilDiv(cols, TILE);
}

/** Factor of x_j: value of the edge (if weighted) times right_j (if given). */
// @ts-ignore: decorator
@inline
function weight(e: usize, columns: usize, values: usize, right: usize): f32 {
  let w: f32 = 1;
  if (values) w = load<f32>(values + (e - columns));
  if (right) w *= load<f32>(right + (<usize>load<u32>(e) << 2));
  return w;
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
 * out[0 … width) (+)= factor·left_i·(Σ_j a_ij·right_j·x_j + c·right_i·x_i) for one tile, whose rows x_j start `stride` bytes
 * apart. With `values` 0 every a_ij is 1, with `right` 0 the source is taken as scaled already: then only additions are
 * made. Sums run over neighbours in stored order. `add`: added to what `out` holds.
 */
// @ts-ignore: decorator
@inline
export function sparseTile(
  matrix: usize, values: usize, right: usize, i: usize, x: usize, stride: usize, width: usize, out: usize,
  factor: f32, add: bool,
): void {
  const rowStart = field(matrix, 0) + (i << 2), columns = field(matrix, 1);
  const begin = columns + (<usize>load<u32>(rowStart) << 2), end = columns + (<usize>load<u32>(rowStart, 4) << 2);
  const left = field(matrix, 3);
  const scale = left ? factor * load<f32>(left + (i << 2)) : factor;
  let own = load<f32>(matrix, 20);
  if (right && own != 0) own *= load<f32>(right + (i << 2));
  const self = own != 0 ? x + i * stride : x;
  if (width == TILE_BYTES) {
    if (values | right) wideWeighted(begin, end, columns, values, right, x, stride, own, self, scale, out, add);
    else wide(begin, end, x, stride, own, self, scale, out, add);
  } else {
    narrow(begin, end, columns, values, right, x, stride, own, self, scale, out, add, width);
  }
}

/** The last tile when it is not full: vectors of four, then single floats. */
function narrow(
  begin: usize, end: usize, columns: usize, values: usize, right: usize, x: usize, stride: usize,
  own: f32, self: usize, scale: f32, out: usize, add: bool, width: usize,
): void {
  let k: usize = 0;
  for (; k + 16 <= width; k += 16) {
    let sum = f32x4.mul(f32x4.splat(own), v128.load(self + k));
    for (let e = begin; e < end; e += 4) {
      sum = madd(f32x4.splat(weight(e, columns, values, right)), v128.load(x + k + <usize>load<u32>(e) * stride), sum);
    }
    sum = f32x4.mul(f32x4.splat(scale), sum);
    v128.store(out + k, add ? f32x4.add(v128.load(out + k), sum) : sum);
  }
  for (; k < width; k += 4) {
    let sum = own * load<f32>(self + k);
    for (let e = begin; e < end; e += 4) {
      sum += weight(e, columns, values, right) * load<f32>(x + k + <usize>load<u32>(e) * stride);
    }
    store<f32>(out + k, add ? load<f32>(out + k) + scale * sum : scale * sum);
  }
}

function wide(begin: usize, end: usize, x: usize, stride: usize, own: f32, self: usize, scale: f32, out: usize, add: bool): void {
  const c = f32x4.splat(own);
  let s0 = f32x4.mul(c, v128.load(self)), s1 = f32x4.mul(c, v128.load(self, 16));
  let s2 = f32x4.mul(c, v128.load(self, 32)), s3 = f32x4.mul(c, v128.load(self, 48));
  let s4 = f32x4.mul(c, v128.load(self, 64)), s5 = f32x4.mul(c, v128.load(self, 80));
  let s6 = f32x4.mul(c, v128.load(self, 96)), s7 = f32x4.mul(c, v128.load(self, 112));
  for (let e = begin; e < end; e += 4) {
    const p = x + <usize>load<u32>(e) * stride;
    s0 = f32x4.add(s0, v128.load(p));
    s1 = f32x4.add(s1, v128.load(p, 16));
    s2 = f32x4.add(s2, v128.load(p, 32));
    s3 = f32x4.add(s3, v128.load(p, 48));
    s4 = f32x4.add(s4, v128.load(p, 64));
    s5 = f32x4.add(s5, v128.load(p, 80));
    s6 = f32x4.add(s6, v128.load(p, 96));
    s7 = f32x4.add(s7, v128.load(p, 112));
  }
  storeWide(f32x4.splat(scale), s0, s1, s2, s3, s4, s5, s6, s7, out, add);
}

function wideWeighted(
  begin: usize, end: usize, columns: usize, values: usize, right: usize, x: usize, stride: usize,
  own: f32, self: usize, scale: f32, out: usize, add: bool,
): void {
  const c = f32x4.splat(own);
  let s0 = f32x4.mul(c, v128.load(self)), s1 = f32x4.mul(c, v128.load(self, 16));
  let s2 = f32x4.mul(c, v128.load(self, 32)), s3 = f32x4.mul(c, v128.load(self, 48));
  let s4 = f32x4.mul(c, v128.load(self, 64)), s5 = f32x4.mul(c, v128.load(self, 80));
  let s6 = f32x4.mul(c, v128.load(self, 96)), s7 = f32x4.mul(c, v128.load(self, 112));
  for (let e = begin; e < end; e += 4) {
    const w = f32x4.splat(weight(e, columns, values, right));
    const p = x + <usize>load<u32>(e) * stride;
    s0 = madd(w, v128.load(p), s0);
    s1 = madd(w, v128.load(p, 16), s1);
    s2 = madd(w, v128.load(p, 32), s2);
    s3 = madd(w, v128.load(p, 48), s3);
    s4 = madd(w, v128.load(p, 64), s4);
    s5 = madd(w, v128.load(p, 80), s5);
    s6 = madd(w, v128.load(p, 96), s6);
    s7 = madd(w, v128.load(p, 112), s7);
  }
  storeWide(f32x4.splat(scale), s0, s1, s2, s3, s4, s5, s6, s7, out, add);
}

// @ts-ignore: decorator
@inline
function storeWide(
  scale: v128, s0: v128, s1: v128, s2: v128, s3: v128, s4: v128, s5: v128, s6: v128, s7: v128, out: usize, add: bool,
): void {
  if (add) {
    v128.store(out, madd(scale, s0, v128.load(out)));
    v128.store(out, madd(scale, s1, v128.load(out, 16)), 16);
    v128.store(out, madd(scale, s2, v128.load(out, 32)), 32);
    v128.store(out, madd(scale, s3, v128.load(out, 48)), 48);
    v128.store(out, madd(scale, s4, v128.load(out, 64)), 64);
    v128.store(out, madd(scale, s5, v128.load(out, 80)), 80);
    v128.store(out, madd(scale, s6, v128.load(out, 96)), 96);
    v128.store(out, madd(scale, s7, v128.load(out, 112)), 112);
    return;
  }
  v128.store(out, f32x4.mul(scale, s0));
  v128.store(out, f32x4.mul(scale, s1), 16);
  v128.store(out, f32x4.mul(scale, s2), 32);
  v128.store(out, f32x4.mul(scale, s3), 48);
  v128.store(out, f32x4.mul(scale, s4), 64);
  v128.store(out, f32x4.mul(scale, s5), 80);
  v128.store(out, f32x4.mul(scale, s6), 96);
  v128.store(out, f32x4.mul(scale, s7), 112);
}
