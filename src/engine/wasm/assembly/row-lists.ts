// Sums over a list of rows, tile by tile: what grouped.ts does with the rows of a group; not a kernel of its own.
import { madd } from "./common";

/** Pointers and coefficients looked up before they are summed tile by tile: half a kilobyte stays in the first cache. */
export const LIST: i32 = 64;
/** Eight vectors in registers; sixteen are no faster, nor is touching the rows before (bench/skip-gram.ts, Neoverse-N1). */
export const TILE_BYTES: usize = 128;

/** to (+)= Σ coefficient·row over the list. */
export function sumList(list: usize, end: usize, bytes: usize, to: usize, add: bool): void {
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

/** to (+)= Σ (h + g·row of U)∘row of V over the list. */
export function sumPairList(list: usize, end: usize, bytes: usize, to: usize, add: bool): void {
  let k: usize = 0;
  for (; k + TILE_BYTES <= bytes; k += TILE_BYTES) sumPairTile(list, end, k, to + k, add);
  for (; k + 16 <= bytes; k += 16) {
    let sum = add ? v128.load(to + k) : f32x4.splat(0);
    for (let e = list; e < end; e += 16) {
      const factor = madd(v128.load32_splat(e, 12), v128.load(<usize>load<u32>(e, 8) + k), v128.load32_splat(e, 4));
      sum = madd(factor, v128.load(<usize>load<u32>(e) + k), sum);
    }
    v128.store(to + k, sum);
  }
  for (; k < bytes; k += 4) {
    let sum: f32 = add ? load<f32>(to + k) : 0;
    for (let e = list; e < end; e += 16) {
      const factor = load<f32>(e, 4) + load<f32>(e, 12) * load<f32>(<usize>load<u32>(e, 8) + k);
      sum += factor * load<f32>(<usize>load<u32>(e) + k);
    }
    store<f32>(to + k, sum);
  }
}

function sumPairTile(list: usize, end: usize, k: usize, to: usize, add: bool): void {
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
  for (let e = list; e < end; e += 16) {
    const h = v128.load32_splat(e, 4), g = v128.load32_splat(e, 12);
    const v = <usize>load<u32>(e) + k, u = <usize>load<u32>(e, 8) + k;
    s0 = madd(madd(g, v128.load(u), h), v128.load(v), s0);
    s1 = madd(madd(g, v128.load(u, 16), h), v128.load(v, 16), s1);
    s2 = madd(madd(g, v128.load(u, 32), h), v128.load(v, 32), s2);
    s3 = madd(madd(g, v128.load(u, 48), h), v128.load(v, 48), s3);
    s4 = madd(madd(g, v128.load(u, 64), h), v128.load(v, 64), s4);
    s5 = madd(madd(g, v128.load(u, 80), h), v128.load(v, 80), s5);
    s6 = madd(madd(g, v128.load(u, 96), h), v128.load(v, 96), s6);
    s7 = madd(madd(g, v128.load(u, 112), h), v128.load(v, 112), s7);
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
