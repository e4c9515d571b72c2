// Sums over a list of rows, tile by tile, for grouped.ts: not a kernel.
// An item of a list is (row pointer, coefficient c) and adds c·row. An item of a paired list is (row pointer, c, pointer to
// another row, g) and adds (c + g·other row)∘row.
import { madd } from "./vector";

/** Largest number of items of a list: at most a kilobyte, which stays in the first-level cache. */
export const LIST: i32 = 64;
/** Bytes of a tile, eight vectors in registers. Sixteen are no faster, nor is touching the rows first (bench/skip-gram.ts, Neoverse N1). */
export const TILE_BYTES: usize = 128;

/** to = the sum over the list, plus the old value with `add`. */
export function sumList(list: usize, end: usize, bytes: usize, to: usize, add: bool): void {
  sumItems(list, end, bytes, to, add, false);
}

/** The same over a paired list. */
export function sumPairList(list: usize, end: usize, bytes: usize, to: usize, add: bool): void {
  sumItems(list, end, bytes, to, add, true);
}

// @ts-ignore: decorator
@inline
export function itemBytes(paired: bool): usize {
  return paired ? 16 : 8;
}

/** c, or c + g·(four floats of the other row). */
// @ts-ignore: decorator
@inline
function factor(c: v128, g: v128, other: usize, paired: bool): v128 {
  return paired ? madd(g, v128.load(other), c) : c;
}

// @ts-ignore: decorator
@inline
function sumItems(list: usize, end: usize, bytes: usize, to: usize, add: bool, paired: bool): void {
  let k: usize = 0;
  for (; k + TILE_BYTES <= bytes; k += TILE_BYTES) sumTile(list, end, k, to + k, add, paired);
  for (; k + 16 <= bytes; k += 16) {
    let sum = add ? v128.load(to + k) : f32x4.splat(0);
    for (let e = list; e < end; e += itemBytes(paired)) {
      const c = v128.load32_splat(e, 4), g = paired ? v128.load32_splat(e, 12) : c;
      const other = paired ? <usize>load<u32>(e, 8) + k : 0;
      sum = madd(factor(c, g, other, paired), v128.load(<usize>load<u32>(e) + k), sum);
    }
    v128.store(to + k, sum);
  }
  for (; k < bytes; k += 4) {
    let sum: f32 = add ? load<f32>(to + k) : 0;
    for (let e = list; e < end; e += itemBytes(paired)) {
      let c = load<f32>(e, 4);
      if (paired) c += load<f32>(e, 12) * load<f32>(<usize>load<u32>(e, 8) + k);
      sum += c * load<f32>(<usize>load<u32>(e) + k);
    }
    store<f32>(to + k, sum);
  }
}

// @ts-ignore: decorator
@inline
function sumTile(list: usize, end: usize, k: usize, to: usize, add: bool, paired: bool): void {
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
  for (let e = list; e < end; e += itemBytes(paired)) {
    const c = v128.load32_splat(e, 4), g = paired ? v128.load32_splat(e, 12) : c;
    const x = <usize>load<u32>(e) + k, u = paired ? <usize>load<u32>(e, 8) + k : 0;
    s0 = madd(factor(c, g, u, paired), v128.load(x), s0);
    s1 = madd(factor(c, g, u + 16, paired), v128.load(x, 16), s1);
    s2 = madd(factor(c, g, u + 32, paired), v128.load(x, 32), s2);
    s3 = madd(factor(c, g, u + 48, paired), v128.load(x, 48), s3);
    s4 = madd(factor(c, g, u + 64, paired), v128.load(x, 64), s4);
    s5 = madd(factor(c, g, u + 80, paired), v128.load(x, 80), s5);
    s6 = madd(factor(c, g, u + 96, paired), v128.load(x, 96), s6);
    s7 = madd(factor(c, g, u + 112, paired), v128.load(x, 112), s7);
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
