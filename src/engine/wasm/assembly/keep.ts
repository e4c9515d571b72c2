// The rows that pass the gradient of a ReLU, v = s·g where the mask's bit is set, otherwise 0: not a kernel.
import { TILE_BYTES, tileWidth } from "./sparse";
import { storeRow } from "./store";
import { maskBytes } from "./tile";

/**
 * Rows first … last−1 of right ⊙ v into `copy`, and their sum v into the row at `part`. `right` 0: ones. `packedRows` 0: the copy
 * has the layout of g, otherwise it is packed tile by tile (sparse.ts) and has so many rows.
 */
export function keepRows(
  g: usize, mask: usize, bytes: usize, first: usize, last: usize, s: f32, right: usize, copy: usize, packedRows: usize,
  part: usize,
): void {
  const words = maskBytes(bytes);
  for (let k: usize = 0; k < bytes; k += TILE_BYTES) {
    const width = tileWidth(bytes, k), step = packedRows ? width : bytes;
    const from = g + first * bytes + k, to = copy + first * step + (packedRows ? k * packedRows : k);
    const bits = mask + first * words + (k / TILE_BYTES << 2);
    let c: usize = 0;
    for (; c + 64 <= width; c += 64) {
      keepColumns(from + c, bytes, bits, words, <u32>(c >> 2), s, right, first, last, to + c, step, part + k + c);
    }
    for (; c < width; c += 4) {
      keepColumn(from + c, bytes, bits, words, <u32>(c >> 2), s, right, first, last, to + c, step, part + k + c);
    }
  }
}

/** Sixteen columns of rows first … last−1, whose bits begin at `shift` of the mask's words; rows of the copy are `step` bytes apart. */
function keepColumns(
  from: usize, bytes: usize, mask: usize, words: usize, shift: u32, s: f32, right: usize, first: usize, last: usize,
  to: usize, step: usize, sums: usize,
): void {
  const factor = f32x4.splat(s);
  let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
  for (let i = first; i < last; i++, from += bytes, to += step, mask += words) {
    const bits = i32x4.splat(load<u32>(mask) >> shift), scale = f32x4.splat(right ? load<f32>(right + (i << 2)) : 1);
    const a = keep(f32x4.mul(factor, v128.load(from)), bits, i32x4(1, 2, 4, 8));
    const b = keep(f32x4.mul(factor, v128.load(from, 16)), bits, i32x4(16, 32, 64, 128));
    const c = keep(f32x4.mul(factor, v128.load(from, 32)), bits, i32x4(256, 512, 1024, 2048));
    const d = keep(f32x4.mul(factor, v128.load(from, 48)), bits, i32x4(4096, 8192, 16384, 32768));
    s0 = f32x4.add(s0, a); s1 = f32x4.add(s1, b); s2 = f32x4.add(s2, c); s3 = f32x4.add(s3, d);
    v128.store(to, f32x4.mul(scale, a));
    v128.store(to, f32x4.mul(scale, b), 16);
    v128.store(to, f32x4.mul(scale, c), 32);
    v128.store(to, f32x4.mul(scale, d), 48);
  }
  storeRow(sums, s0, s1, s2, s3, 16);
}

/** The lanes of v whose bit is set. */
// @ts-ignore: decorator
@inline
function keep(v: v128, bits: v128, lanes: v128): v128 {
  return v128.and(v, i32x4.eq(v128.and(bits, lanes), lanes));
}

/** One column, as `keepColumns`. */
function keepColumn(
  from: usize, bytes: usize, mask: usize, words: usize, shift: u32, s: f32, right: usize, first: usize, last: usize,
  to: usize, step: usize, sums: usize,
): void {
  let sum: f32 = 0;
  for (let i = first; i < last; i++, from += bytes, to += step, mask += words) {
    const v: f32 = (load<u32>(mask) >> shift) & 1 ? s * load<f32>(from) : 0;
    sum += v;
    store<f32>(to, right ? load<f32>(right + (i << 2)) * v : v);
  }
  store<f32>(sums, sum);
}

/** The sum of `count` rows of `bytes`, in order (float64). */
export function addParts(parts: usize, count: i32, bytes: usize, sum: usize): void {
  for (let k: usize = 0; k < bytes; k += 4) {
    let total: f64 = 0;
    let part = parts + k;
    for (let p = 0; p < count; p++, part += bytes) total += load<f32>(part);
    store<f32>(sum + k, <f32>total);
  }
}
