// Arithmetic of four floats at once: not a kernel.

/** a·b + c: fused where the relaxed instruction set is on. */
// @ts-ignore: decorator
@inline
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

/** Sum of the four lanes, pairwise. */
// @ts-ignore: decorator
@inline
export function sumLanes(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

/** to = s·from, one row. */
// @ts-ignore: decorator
@inline
export function scaleRow(to: usize, from: usize, bytes: usize, s: f32): void {
  const whole = bytes & ~15, wide = f32x4.splat(s);
  let k: usize = 0;
  for (; k < whole; k += 16) v128.store(to + k, f32x4.mul(wide, v128.load(from + k)));
  for (; k < bytes; k += 4) store<f32>(to + k, s * load<f32>(from + k));
}
