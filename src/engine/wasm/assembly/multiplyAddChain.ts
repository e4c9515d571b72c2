// u is the first and v the second half of x; `count` times u += a·v, v −= a·u. args: y 0, count 3, a 4, scratch 5, x 6.
// One block: BLOCK pairs in groups of GROUP, the rest pair by pair. An odd last entry is copied.
import { ceilDiv } from "./blocks";
import { entries, float, word } from "./kernel";
import { madd } from "./vector";

/** Pairs per block. */
const BLOCK: i32 = 1280;
/**
 * Pairs per group: ten pairs of vectors hide the latency of a multiply-add (4 cycles × 2 a cycle on Neoverse N1, so eight would
 * do) and fit the registers together with their factors.
 */
const GROUP: i32 = 40;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), 2 * BLOCK);
}

export function run(args: usize, block: i32): void {
  const size = entries(args, 0), half = size >> 1;
  const first = block * BLOCK, last = min(first + BLOCK, half);
  const x = <usize>word(args, 6), y = <usize>word(args, 0), apart = <usize>half << 2;
  const a = f32x4.splat(float(args, 4)), count: i32 = word(args, 3);
  let i = first;
  for (; i + GROUP <= last; i += GROUP) chains(x + (<usize>i << 2), y + (<usize>i << 2), apart, count, a, f32x4.neg(a));
  for (; i < last; i++) pair(x + (<usize>i << 2), y + (<usize>i << 2), apart, count, a);
  if (last == half && size & 1) store<f32>(y + 2 * apart, load<f32>(x + 2 * apart));
}

function pair(x: usize, y: usize, apart: usize, count: i32, a: v128): void {
  let u = v128.load32_splat(x), v = v128.load32_splat(x + apart);
  for (let c = 0; c < count; c++) {
    u = madd(a, v, u);
    v = madd(f32x4.neg(a), u, v);
  }
  store<f32>(y, f32x4.extract_lane(u, 0));
  store<f32>(y + apart, f32x4.extract_lane(v, 0));
}

function chains(x: usize, y: usize, apart: usize, count: i32, a: v128, b: v128): void {
  const z = x + apart;
  let u0 = v128.load(x), u1 = v128.load(x, 16), u2 = v128.load(x, 32), u3 = v128.load(x, 48), u4 = v128.load(x, 64);
  let u5 = v128.load(x, 80), u6 = v128.load(x, 96), u7 = v128.load(x, 112), u8 = v128.load(x, 128), u9 = v128.load(x, 144);
  let v0 = v128.load(z), v1 = v128.load(z, 16), v2 = v128.load(z, 32), v3 = v128.load(z, 48), v4 = v128.load(z, 64);
  let v5 = v128.load(z, 80), v6 = v128.load(z, 96), v7 = v128.load(z, 112), v8 = v128.load(z, 128), v9 = v128.load(z, 144);
  for (let c = 0; c < count; c++) {
    u0 = madd(a, v0, u0); u1 = madd(a, v1, u1); u2 = madd(a, v2, u2); u3 = madd(a, v3, u3); u4 = madd(a, v4, u4);
    u5 = madd(a, v5, u5); u6 = madd(a, v6, u6); u7 = madd(a, v7, u7); u8 = madd(a, v8, u8); u9 = madd(a, v9, u9);
    v0 = madd(b, u0, v0); v1 = madd(b, u1, v1); v2 = madd(b, u2, v2); v3 = madd(b, u3, v3); v4 = madd(b, u4, v4);
    v5 = madd(b, u5, v5); v6 = madd(b, u6, v6); v7 = madd(b, u7, v7); v8 = madd(b, u8, v8); v9 = madd(b, u9, v9);
  }
  const w = y + apart;
  v128.store(y, u0); v128.store(y, u1, 16); v128.store(y, u2, 32); v128.store(y, u3, 48); v128.store(y, u4, 64);
  v128.store(y, u5, 80); v128.store(y, u6, 96); v128.store(y, u7, 112); v128.store(y, u8, 128); v128.store(y, u9, 144);
  v128.store(w, v0); v128.store(w, v1, 16); v128.store(w, v2, 32); v128.store(w, v3, 48); v128.store(w, v4, 64);
  v128.store(w, v5, 80); v128.store(w, v6, 96); v128.store(w, v7, 112); v128.store(w, v8, 128); v128.store(w, v9, 144);
}
