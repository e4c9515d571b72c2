// y = f(…f(x)), count times f(x) = a·x + b. args: y 0, count 3, a 4, b 5, scratch 6, x 7. One block: 1,024 entries, in
// groups of 64: sixteen independent chains hide the latency of a multiply-add (4 cycles × 2 a cycle on Neoverse N1).
import { ceilDiv, entries, float, madd, word } from "./common";

const BLOCK: i32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), BLOCK);
}

export function run(args: usize, block: i32): void {
  const size = entries(args, 0);
  const first = block * BLOCK, last = min(first + BLOCK, size);
  const a = f32x4.splat(float(args, 4)), b = f32x4.splat(float(args, 5));
  const count: i32 = word(args, 3);
  let i = first;
  for (; i + 63 < last; i += 64) chains(<usize>word(args, 7) + (<usize>i << 2), <usize>word(args, 0) + (<usize>i << 2), count, a, b);
  for (; i < last; i++) {
    let v = f32x4.splat(load<f32>(<usize>word(args, 7) + (<usize>i << 2)));
    for (let c = 0; c < count; c++) v = madd(a, v, b);
    store<f32>(<usize>word(args, 0) + (<usize>i << 2), f32x4.extract_lane(v, 0));
  }
}

function chains(x: usize, y: usize, count: i32, a: v128, b: v128): void {
  let v0 = v128.load(x), v1 = v128.load(x, 16), v2 = v128.load(x, 32), v3 = v128.load(x, 48);
  let v4 = v128.load(x, 64), v5 = v128.load(x, 80), v6 = v128.load(x, 96), v7 = v128.load(x, 112);
  let v8 = v128.load(x, 128), v9 = v128.load(x, 144), va = v128.load(x, 160), vb = v128.load(x, 176);
  let vc = v128.load(x, 192), vd = v128.load(x, 208), ve = v128.load(x, 224), vf = v128.load(x, 240);
  for (let c = 0; c < count; c++) {
    v0 = madd(a, v0, b); v1 = madd(a, v1, b); v2 = madd(a, v2, b); v3 = madd(a, v3, b);
    v4 = madd(a, v4, b); v5 = madd(a, v5, b); v6 = madd(a, v6, b); v7 = madd(a, v7, b);
    v8 = madd(a, v8, b); v9 = madd(a, v9, b); va = madd(a, va, b); vb = madd(a, vb, b);
    vc = madd(a, vc, b); vd = madd(a, vd, b); ve = madd(a, ve, b); vf = madd(a, vf, b);
  }
  v128.store(y, v0); v128.store(y, v1, 16); v128.store(y, v2, 32); v128.store(y, v3, 48);
  v128.store(y, v4, 64); v128.store(y, v5, 80); v128.store(y, v6, 96); v128.store(y, v7, 112);
  v128.store(y, v8, 128); v128.store(y, v9, 144); v128.store(y, va, 160); v128.store(y, vb, 176);
  v128.store(y, vc, 192); v128.store(y, vd, 208); v128.store(y, ve, 224); v128.store(y, vf, 240);
}
