// Exponentials of four floats at once: not a kernel. Errors are below 2 units in the last place. A call costs about as much as
// one scalar exponential in float64.
//
//   x = n·ln 2 + r, |r| ≤ ln 2 / 2:  e^x = 2^n·(1 + p), p = r + r²/2 + … + r⁷/5040; the terms left out are below 6e-9.
import { madd } from "./vector";

/** ln 2 in two parts: n·HIGH is exact for |n| < 2¹⁵. */
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.12194440e-4;
const LOG2_E: f32 = 1.44269504;
/** Outside of these bounds 2^n leaves the range of normal floats. */
const LARGEST: f32 = 88.02969;
const SMALLEST: f32 = -87.33654;

/** n of the formula above, as floats. */
// @ts-ignore: decorator
@inline
function powerOf(x: v128): v128 {
  return f32x4.nearest(f32x4.mul(x, f32x4.splat(LOG2_E)));
}

/** p of the formula above. */
// @ts-ignore: decorator
@inline
function restOf(x: v128, n: v128): v128 {
  const r = f32x4.sub(f32x4.sub(x, f32x4.mul(n, f32x4.splat(LN2_HIGH))), f32x4.mul(n, f32x4.splat(LN2_LOW)));
  let p = madd(r, f32x4.splat(1.0 / 5040.0), f32x4.splat(1.0 / 720.0));
  p = madd(p, r, f32x4.splat(1.0 / 120.0));
  p = madd(p, r, f32x4.splat(1.0 / 24.0));
  p = madd(p, r, f32x4.splat(1.0 / 6.0));
  p = madd(p, r, f32x4.splat(0.5));
  return madd(f32x4.mul(p, r), r, r);
}

/** 2^n for whole n from −126 to 127. */
// @ts-ignore: decorator
@inline
function twoTo(n: v128): v128 {
  return i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
}

/** e^x; 0 below −87.3, infinite above 88.03. */
// @ts-ignore: decorator
@inline
export function exp4(x: v128): v128 {
  const bounded = f32x4.max(f32x4.min(x, f32x4.splat(LARGEST)), f32x4.splat(SMALLEST));
  const n = powerOf(bounded), power = twoTo(n);
  let y = madd(power, restOf(bounded, n), power);
  y = v128.bitselect(f32x4.splat(Infinity), y, f32x4.gt(x, f32x4.splat(LARGEST)));
  return v128.andnot(y, f32x4.lt(x, f32x4.splat(SMALLEST)));
}

/** e^x − 1 without cancellation, for |x| ≤ 60. */
// @ts-ignore: decorator
@inline
function expm14(x: v128): v128 {
  const n = powerOf(x), power = twoTo(n);
  return madd(power, restOf(x, n), f32x4.sub(power, f32x4.splat(1)));
}

/** tanh x = (e^2x − 1)/(e^2x + 1); from |x| = 10 on it is 1. */
// @ts-ignore: decorator
@inline
export function tanh4(x: v128): v128 {
  const bounded = f32x4.max(f32x4.min(x, f32x4.splat(10)), f32x4.splat(-10));
  const e = expm14(f32x4.add(bounded, bounded));
  return f32x4.div(e, f32x4.add(e, f32x4.splat(2)));
}

/** 1/(1 + e^−x). */
// @ts-ignore: decorator
@inline
export function sigmoid4(x: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), exp4(f32x4.neg(x))));
}

/**
 * log(1 + e^−|x|): with y = e^−|x| and z = y/(2 + y) ≤ 1/3 it is 2·artanh z = 2·(z + z³/3 + …), to z¹⁵; the terms left out
 * are below 3e-9 of it.
 */
// @ts-ignore: decorator
@inline
export function logOnePlusExp4(x: v128): v128 {
  const y = exp4(f32x4.neg(f32x4.abs(x)));
  const z = f32x4.div(y, f32x4.add(y, f32x4.splat(2))), square = f32x4.mul(z, z);
  let s = madd(square, f32x4.splat(2.0 / 15.0), f32x4.splat(2.0 / 13.0));
  s = madd(s, square, f32x4.splat(2.0 / 11.0));
  s = madd(s, square, f32x4.splat(2.0 / 9.0));
  s = madd(s, square, f32x4.splat(2.0 / 7.0));
  s = madd(s, square, f32x4.splat(2.0 / 5.0));
  s = madd(s, square, f32x4.splat(2.0 / 3.0));
  s = madd(s, square, f32x4.splat(2));
  return f32x4.mul(s, z);
}
