// Exponentials and logarithms with errors of a few units in the last place; the functions of WGSL may have larger ones. NaN stays NaN.
//
//   x = n·ln 2 + r, |r| ≤ ln 2 / 2:  e^x = 2^n·(1 + p), p = r + r²/2 + … + r⁷/5040; the terms left out are below 6e-9.

// ln 2 in two parts: n·LN2_HIGH is exact for |n| < 2¹⁵.
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.12194440e-4;
const LOG2_E = 1.44269504;

// 2^n for whole n from −126 to 127; infinite for 128.
fn twoTo(n: Value) -> Value { return bitcast<Value>(Bits(n + 127.0) << Bits(23u)); }

// p of the formula above.
fn restOf(x: Value, n: Value) -> Value {
  let r = (x - n * LN2_HIGH) - n * LN2_LOW;
  var p = r * (1.0 / 5040.0) + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  return p * r * r + r;
}

// `y`, but NaN where x is NaN.
fn unlessNaN(y: Value, x: Value) -> Value {
  return select(y, x, (bitcast<Bits>(x) & Bits(0x7fffffffu)) > Bits(0x7f800000u));
}

// e^x; 0 below −87.3, infinite above 88.4.
fn exponential(x: Value) -> Value {
  let bounded = clamp(x, Value(-87.33654), Value(89.0));
  let n = round(bounded * LOG2_E);
  return unlessNaN(select((1.0 + restOf(bounded, n)) * twoTo(n), Value(0.0), x < Value(-87.33654)), x);
}

// e^x − 1 without cancellation; from |x| = 60 on as for 60.
fn exponentialMinusOne(x: Value) -> Value {
  let bounded = clamp(x, Value(-60.0), Value(60.0));
  let n = round(bounded * LOG2_E);
  let power = twoTo(n);
  return unlessNaN(power * restOf(bounded, n) + (power - 1.0), x);
}

// (e^2x − 1)/(e^2x + 1); from |x| = 10 on it is 1.
fn hyperbolicTangent(x: Value) -> Value {
  let e = exponentialMinusOne(2.0 * clamp(x, Value(-10.0), Value(10.0)));
  return unlessNaN(e / (e + 2.0), x);
}

// 1/(1 + e^−x).
fn sigmoid(x: Value) -> Value {
  let e = exponential(-abs(x));
  return unlessNaN(select(e, Value(1.0), x >= Value(0.0)) / (1.0 + e), x);
}

// log(1 + y) for y from 0 to 1: with z = y/(2 + y) ≤ 1/3 it is 2·artanh z = 2·(z + z³/3 + …), to z¹⁵; the terms left out are below
// 3e-9 of it.
fn logOnePlus(y: Value) -> Value {
  let z = y / (y + 2.0);
  let square = z * z;
  var s = square * (2.0 / 15.0) + 2.0 / 13.0;
  s = s * square + 2.0 / 11.0;
  s = s * square + 2.0 / 9.0;
  s = s * square + 2.0 / 7.0;
  s = s * square + 2.0 / 5.0;
  s = s * square + 2.0 / 3.0;
  return z * (s * square + 2.0);
}

// log(1 + e^−|x|).
fn logOnePlusExp(x: Value) -> Value { return logOnePlus(exponential(-abs(x))); }

// log x = e·ln 2 + log m with x = 2^e·m and m from √½ to √2. −∞ at 0 and below the smallest normal number, NaN for negative x.
fn logarithm(x: Value) -> Value {
  let bits = bitcast<Bits>(x);
  let upper = bitcast<Value>((bits & Bits(0x7fffffu)) | Bits(0x3f800000u));
  let isLarge = upper > Value(1.41421356);
  let m = select(upper, 0.5 * upper, isLarge);
  let e = Value(bits >> Bits(23u)) - select(Value(127.0), Value(126.0), isLarge);
  let z = (m - 1.0) / (m + 1.0);
  let square = z * z;
  var s = square * (2.0 / 11.0) + 2.0 / 9.0;
  s = s * square + 2.0 / 7.0;
  s = s * square + 2.0 / 5.0;
  s = s * square + 2.0 / 3.0;
  let y = e * LN2_HIGH + (e * LN2_LOW + z * (s * square + 2.0));
  // from the bits: compilers may assume that floats are finite
  let orNaN = select(bitcast<Value>(bits | Bits(0x7fc00000u)), x, bits == Bits(0x7f800000u));
  let zeroOrNaN = select(orNaN, bitcast<Value>((bits >> Bits(31u)) | Bits(0xff800000u)), (bits & Bits(0x7f800000u)) == Bits(0u));
  return select(zeroOrNaN, y, bits - Bits(0x00800000u) < Bits(0x7f000000u));
}
