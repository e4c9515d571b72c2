// Inner product of two rows: not a kernel.
import { madd, sumLanes } from "./vector";

/** ⟨a, b⟩ over `bytes` / 4 floats, in two vectors of sums that are added at the end: always the same order. */
// @ts-ignore: decorator
@inline
export function dot(a: usize, b: usize, bytes: usize): f32 {
  let s0 = f32x4.splat(0), s1 = f32x4.splat(0);
  let k: usize = 0;
  const pairs = bytes & ~31;
  for (; k < pairs; k += 32) {
    s0 = madd(v128.load(a + k), v128.load(b + k), s0);
    s1 = madd(v128.load(a + k, 16), v128.load(b + k, 16), s1);
  }
  let sum = sumLanes(f32x4.add(s0, s1));
  for (; k < bytes; k += 4) sum += load<f32>(a + k) * load<f32>(b + k);
  return sum;
}
