// A tile of a row of a sparse product, eight vectors in registers: not a kernel.
import { madd, sumLanes } from "./vector";

/** Bytes of a row of a tile. */
export const TILE_BYTES: usize = 128;

/**
 * A tile of zeros, the source of the diagonal of a matrix without one. Zero times another row would have the sign of its entries,
 * so the sign of an empty row would depend on which row that is.
 */
export const ZEROS: usize = memory.data(128, 16);

/** Bytes of a row of a mask over rows of `bytes`: one word per tile. */
// @ts-ignore: decorator
@inline
export function maskBytes(bytes: usize): usize {
  return ((bytes + TILE_BYTES - 1) / TILE_BYTES) << 2;
}

/** ⟨tile, x⟩; even and odd vectors have separate sums. */
// @ts-ignore: decorator
@inline
export function dotTile(s0: v128, s1: v128, s2: v128, s3: v128, s4: v128, s5: v128, s6: v128, s7: v128, x: usize): f32 {
  let even = f32x4.mul(s0, v128.load(x)), odd = f32x4.mul(s1, v128.load(x, 16));
  even = madd(s2, v128.load(x, 32), even);
  odd = madd(s3, v128.load(x, 48), odd);
  even = madd(s4, v128.load(x, 64), even);
  odd = madd(s5, v128.load(x, 80), odd);
  even = madd(s6, v128.load(x, 96), even);
  odd = madd(s7, v128.load(x, 112), odd);
  return sumLanes(f32x4.add(even, odd));
}

/** out = scale·tile, plus the tile at `old` if that is not 0. */
// @ts-ignore: decorator
@inline
export function storeTile(
  scale: v128, s0: v128, s1: v128, s2: v128, s3: v128, s4: v128, s5: v128, s6: v128, s7: v128, out: usize, old: usize,
): void {
  if (old) {
    v128.store(out, madd(scale, s0, v128.load(old)));
    v128.store(out, madd(scale, s1, v128.load(old, 16)), 16);
    v128.store(out, madd(scale, s2, v128.load(old, 32)), 32);
    v128.store(out, madd(scale, s3, v128.load(old, 48)), 48);
    v128.store(out, madd(scale, s4, v128.load(old, 64)), 64);
    v128.store(out, madd(scale, s5, v128.load(old, 80)), 80);
    v128.store(out, madd(scale, s6, v128.load(old, 96)), 96);
    v128.store(out, madd(scale, s7, v128.load(old, 112)), 112);
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

/** Sixteen bits, set where the entries of four vectors are positive. */
// @ts-ignore: decorator
@inline
export function positive(a: v128, b: v128, c: v128, d: v128): u32 {
  const zero = f32x4.splat(0);
  const low = i16x8.narrow_i32x4_s(f32x4.gt(a, zero), f32x4.gt(b, zero));
  const high = i16x8.narrow_i32x4_s(f32x4.gt(c, zero), f32x4.gt(d, zero));
  return <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}
