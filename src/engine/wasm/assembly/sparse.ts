// One row of a sparse product: not a kernel of its own.
//
// A matrix M = diag(left)(A + cI)diag(right) is a descriptor of 32-bit words:
// 0 rowStart, 1 columns, 2 values (0: all ones), 3 left (0: ones), 4 right (0: ones), 5 c (float), 6 rows, 7 columns.
import { madd } from "./common";

// @ts-ignore: decorator
@inline
export function field(matrix: usize, i: i32): usize {
  return load<u32>(matrix + (<usize>i << 2));
}

/** Factor of x_j in row sums: value of the edge (if weighted) times right_j (if `scaled`). */
// @ts-ignore: decorator
@inline
function weight(e: usize, columns: usize, values: usize, right: usize): f32 {
  let w: f32 = 1;
  if (values) w = load<f32>(values + (e - columns));
  if (right) w *= load<f32>(right + (<usize>load<u32>(e) << 2));
  return w;
}

/**
 * out = factor·left_i·(Σ_j a_ij·right_j·x_j + c·right_i·x_i), `bytes` wide. With `right` 0 the source is taken as scaled
 * already. Sums run over neighbours in stored order, for 32 floats at a time (the width that stays in registers on
 * Node 20), then 4, then 1. Without values and scale only additions are made.
 */
export function sparseRow(matrix: usize, right: usize, i: usize, x: usize, bytes: usize, out: usize, factor: f32): void {
  const rowStart = field(matrix, 0) + (i << 2), columns = field(matrix, 1), values = field(matrix, 2);
  const begin = columns + (<usize>load<u32>(rowStart) << 2), end = columns + (<usize>load<u32>(rowStart, 4) << 2);
  const left = field(matrix, 3);
  const scale = left ? factor * load<f32>(left + (i << 2)) : factor;
  let own = load<f32>(matrix, 20);
  if (right && own != 0) own *= load<f32>(right + (i << 2));
  const self = own != 0 ? x + i * bytes : x;
  let k: usize = 0;
  for (; k + 128 <= bytes; k += 128) {
    if (values | right) wideWeighted(begin, end, columns, values, right, x + k, bytes, own, self + k, scale, out + k);
    else wide(begin, end, x + k, bytes, own, self + k, scale, out + k);
  }
  for (; k + 16 <= bytes; k += 16) {
    let sum = f32x4.mul(f32x4.splat(own), v128.load(self + k));
    for (let e = begin; e < end; e += 4) {
      sum = madd(f32x4.splat(weight(e, columns, values, right)), v128.load(x + k + <usize>load<u32>(e) * bytes), sum);
    }
    v128.store(out + k, f32x4.mul(f32x4.splat(scale), sum));
  }
  for (; k < bytes; k += 4) {
    let sum = own * load<f32>(self + k);
    for (let e = begin; e < end; e += 4) {
      sum += weight(e, columns, values, right) * load<f32>(x + k + <usize>load<u32>(e) * bytes);
    }
    store<f32>(out + k, scale * sum);
  }
}

function wide(begin: usize, end: usize, x: usize, bytes: usize, own: f32, self: usize, scale: f32, out: usize): void {
  const c = f32x4.splat(own);
  let s0 = f32x4.mul(c, v128.load(self)), s1 = f32x4.mul(c, v128.load(self, 16));
  let s2 = f32x4.mul(c, v128.load(self, 32)), s3 = f32x4.mul(c, v128.load(self, 48));
  let s4 = f32x4.mul(c, v128.load(self, 64)), s5 = f32x4.mul(c, v128.load(self, 80));
  let s6 = f32x4.mul(c, v128.load(self, 96)), s7 = f32x4.mul(c, v128.load(self, 112));
  for (let e = begin; e < end; e += 4) {
    const p = x + <usize>load<u32>(e) * bytes;
    s0 = f32x4.add(s0, v128.load(p));
    s1 = f32x4.add(s1, v128.load(p, 16));
    s2 = f32x4.add(s2, v128.load(p, 32));
    s3 = f32x4.add(s3, v128.load(p, 48));
    s4 = f32x4.add(s4, v128.load(p, 64));
    s5 = f32x4.add(s5, v128.load(p, 80));
    s6 = f32x4.add(s6, v128.load(p, 96));
    s7 = f32x4.add(s7, v128.load(p, 112));
  }
  storeWide(f32x4.splat(scale), s0, s1, s2, s3, s4, s5, s6, s7, out);
}

function wideWeighted(
  begin: usize, end: usize, columns: usize, values: usize, right: usize, x: usize, bytes: usize, own: f32, self: usize, scale: f32, out: usize,
): void {
  const c = f32x4.splat(own);
  let s0 = f32x4.mul(c, v128.load(self)), s1 = f32x4.mul(c, v128.load(self, 16));
  let s2 = f32x4.mul(c, v128.load(self, 32)), s3 = f32x4.mul(c, v128.load(self, 48));
  let s4 = f32x4.mul(c, v128.load(self, 64)), s5 = f32x4.mul(c, v128.load(self, 80));
  let s6 = f32x4.mul(c, v128.load(self, 96)), s7 = f32x4.mul(c, v128.load(self, 112));
  for (let e = begin; e < end; e += 4) {
    const w = f32x4.splat(weight(e, columns, values, right));
    const p = x + <usize>load<u32>(e) * bytes;
    s0 = madd(w, v128.load(p), s0);
    s1 = madd(w, v128.load(p, 16), s1);
    s2 = madd(w, v128.load(p, 32), s2);
    s3 = madd(w, v128.load(p, 48), s3);
    s4 = madd(w, v128.load(p, 64), s4);
    s5 = madd(w, v128.load(p, 80), s5);
    s6 = madd(w, v128.load(p, 96), s6);
    s7 = madd(w, v128.load(p, 112), s7);
  }
  storeWide(f32x4.splat(scale), s0, s1, s2, s3, s4, s5, s6, s7, out);
}

// @ts-ignore: decorator
@inline
function storeWide(scale: v128, s0: v128, s1: v128, s2: v128, s3: v128, s4: v128, s5: v128, s6: v128, s7: v128, out: usize): void {
  v128.store(out, f32x4.mul(scale, s0));
  v128.store(out, f32x4.mul(scale, s1), 16);
  v128.store(out, f32x4.mul(scale, s2), 32);
  v128.store(out, f32x4.mul(scale, s3), 48);
  v128.store(out, f32x4.mul(scale, s4), 64);
  v128.store(out, f32x4.mul(scale, s5), 80);
  v128.store(out, f32x4.mul(scale, s6), 96);
  v128.store(out, f32x4.mul(scale, s7), 112);
}
