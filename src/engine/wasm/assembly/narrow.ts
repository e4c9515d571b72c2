// Rows of a tile of a sparse product that has fewer than 32 columns (sparse.ts): not a kernel.
import { madd, sumLanes } from "./vector";
import { field, weight } from "./sparse-matrix";
import { ZEROS, maskBytes } from "./tile";

/**
 * The last tile if it is not full: four vectors at once while there are so many, then two, then one. The last vector ends with
 * the row; its lanes that an earlier vector computed are not written again. Rows of fewer than four floats are computed float by
 * float. If `dot` is not 0, the product with the row of `other` is added there. If `bias` is not 0, sums pass through bias and
 * ReLU, and `mask` receives their signs.
 */
export function narrowRows(
  matrix: usize, values: usize, right: usize, own: usize, first: usize, last: usize, x: usize, stride: usize,
  width: usize, out: usize, bytes: usize, factor: f32, old: usize, other: usize, dot: usize, bias: usize, mask: usize,
): void {
  if (values | right) {
    narrowTile(true, matrix, values, right, own, first, last, x, stride, width, out, bytes, factor, old, other, dot, bias, mask);
  } else {
    narrowTile(false, matrix, 0, 0, 0, first, last, x, stride, width, out, bytes, factor, old, other, dot, bias, mask);
  }
}

// @ts-ignore: decorator
@inline
function narrowTile(
  weighted: bool, matrix: usize, values: usize, right: usize, own: usize, first: usize, last: usize, x: usize,
  stride: usize, width: usize, out: usize, bytes: usize, factor: f32, old: usize, other: usize, dot: usize, bias: usize,
  mask: usize,
): void {
  const columns = field(matrix, 1), left = field(matrix, 3), diagonal = load<f32>(matrix, 20);
  const words = maskBytes(bytes);
  let total: f64 = 0;
  for (let i = first; i < last; i++) {
    const rowStart = field(matrix, 0) + (i << 2), to = out + i * bytes, otherRow = other + i * bytes;
    const base = old ? old + i * bytes : 0;
    const begin = columns + (<usize>load<u32>(rowStart) << 2), end = columns + (<usize>load<u32>(rowStart, 4) << 2);
    let self: f32 = diagonal;
    if (own && diagonal != 0) self *= load<f32>(own + (i << 2));
    const from = diagonal != 0 ? x + i * stride : ZEROS, scale: f32 = left ? load<f32>(left + (i << 2)) : 1;
    const wide = f32x4.splat(self);
    let k: usize = 0;
    if (bias) store<u32>(mask + i * words, 0);
    for (; k + 64 <= width; k += 64) {
      let a = f32x4.mul(wide, v128.load(from + k)), b = f32x4.mul(wide, v128.load(from + k, 16));
      let c = f32x4.mul(wide, v128.load(from + k, 32)), d = f32x4.mul(wide, v128.load(from + k, 48));
      for (let e = begin; e < end; e += 4) {
        const p = x + k + <usize>load<u32>(e) * stride;
        if (weighted) {
          const w = f32x4.splat(weight(e, columns, values, right));
          a = madd(w, v128.load(p), a), b = madd(w, v128.load(p, 16), b);
          c = madd(w, v128.load(p, 32), c), d = madd(w, v128.load(p, 48), d);
        } else {
          a = f32x4.add(v128.load(p), a), b = f32x4.add(v128.load(p, 16), b);
          c = f32x4.add(v128.load(p, 32), c), d = f32x4.add(v128.load(p, 48), d);
        }
      }
      total += finish(a, scale, factor, to, k, base, otherRow, dot, bias, mask + i * words, 0);
      total += finish(b, scale, factor, to, k + 16, base, otherRow, dot, bias, mask + i * words, 0);
      total += finish(c, scale, factor, to, k + 32, base, otherRow, dot, bias, mask + i * words, 0);
      total += finish(d, scale, factor, to, k + 48, base, otherRow, dot, bias, mask + i * words, 0);
    }
    while (k < width && width >= 16) {
      const rest = width - k, both = rest > 16;
      // offsets of the first of two vectors, or of the only one, and of the second
      const one = both ? k : width - 16, two = rest >= 32 ? k + 16 : width - 16;
      const done = <i32>((rest >= 32 ? 0 : both ? 32 - rest : 16 - rest) >> 2);
      let a = f32x4.mul(wide, v128.load(from + one)), b = f32x4.mul(wide, v128.load(from + two));
      for (let e = begin; e < end; e += 4) {
        const p = x + <usize>load<u32>(e) * stride;
        if (weighted) {
          const w = f32x4.splat(weight(e, columns, values, right));
          a = madd(w, v128.load(p + one), a);
          if (both) b = madd(w, v128.load(p + two), b);
        } else {
          a = f32x4.add(v128.load(p + one), a);
          if (both) b = f32x4.add(v128.load(p + two), b);
        }
      }
      total += finish(a, scale, factor, to, one, base, otherRow, dot, bias, mask + i * words, both ? 0 : done);
      if (both) total += finish(b, scale, factor, to, two, base, otherRow, dot, bias, mask + i * words, done);
      k += rest >= 32 ? 32 : rest;
    }
    for (; k < width; k += 4) {
      let sum = self * load<f32>(from + k);
      for (let e = begin; e < end; e += 4) {
        sum += weight(e, columns, values, right) * load<f32>(x + k + <usize>load<u32>(e) * stride);
      }
      sum *= scale;
      if (dot) total += <f64>(sum * load<f32>(otherRow + k));
      if (bias) {
        sum += load<f32>(bias + k);
        const bits = mask + i * words;
        if (sum > 0) store<u32>(bits, load<u32>(bits) | (1 << <u32>(k >> 2)));
        sum = max<f32>(sum, 0);
      }
      store<f32>(to + k, base ? load<f32>(base + k) + factor * sum : factor * sum);
    }
  }
  if (dot) store<f64>(dot, load<f64>(dot) + total);
}

/** Writes the vector at `k` except its first `done` lanes; returns its product with `otherRow` if `dot` is not 0. */
// @ts-ignore: decorator
@inline
function finish(
  sum: v128, scale: f32, factor: f32, to: usize, k: usize, base: usize, otherRow: usize, dot: usize, bias: usize,
  mask: usize, done: i32,
): f64 {
  const lanes = i32x4.ge_s(i32x4(0, 1, 2, 3), i32x4.splat(done));
  let scaled = f32x4.mul(f32x4.splat(scale), sum);
  if (bias) {
    scaled = f32x4.add(scaled, v128.load(bias + k));
    const bits = <u32>i32x4.bitmask(f32x4.gt(scaled, f32x4.splat(0)));
    store<u32>(mask, load<u32>(mask) | (bits << <u32>(k >> 2)));
    scaled = f32x4.max(scaled, f32x4.splat(0));
  }
  scaled = v128.and(scaled, lanes);
  const product = f32x4.mul(f32x4.splat(factor), scaled);
  // the first `done` lanes are already in `to`, which may be the same storage as `base`
  const next = base ? f32x4.add(v128.load(base + k), product) : product;
  v128.store(to + k, v128.bitselect(next, v128.load(to + k), lanes));
  return dot ? <f64>sumLanes(f32x4.mul(scaled, v128.load(otherRow + k))) : 0;
}
