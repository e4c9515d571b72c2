// dx = g·f′ from the result y: sigmoid y(1−y), tanh 1−y², inverse square root −y³/2, exponential y, logarithm e^−y, square
// root 1/(2y) (0 at 0), softplus 1−e^−y, logarithm of the sigmoid 1−e^y, reciprocal −y². args: dx 0, f 3 (as in unary.ts),
// scratch 4, g 5, y 8. One block: ENTRIES entries, or SLOW. Reads g and y, writes dx, which may be g.
import { ENTRIES, ceilDiv } from "./blocks";
import { entries, word } from "./kernel";

/** Entries per block where each takes an exponential. Not tuned. */
const SLOW: i32 = 1024;
/** From this number on f′ needs an exponential or a comparison and is computed in float64, entry by entry. */
const FIRST_SLOW: u32 = 4;

// @ts-ignore: decorator
@inline
function size(args: usize): i32 {
  return word(args, 3) < FIRST_SLOW ? ENTRIES : SLOW;
}

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), size(args));
}

export function run(args: usize, block: i32): void {
  const begin = <usize>block * (size(args) << 2);
  const end = min<usize>(begin + (size(args) << 2), <usize>entries(args, 0) << 2);
  const kind = word(args, 3);
  const dx = <usize>word(args, 0), gs = <usize>word(args, 5), ys = <usize>word(args, 8);
  if (kind >= FIRST_SLOW) {
    for (let i = begin; i < end; i += 4) {
      store<f32>(dx + i, <f32>(<f64>load<f32>(gs + i) * slowDerivative(kind, load<f32>(ys + i))));
    }
    return;
  }
  const one = f32x4.splat(1), minusHalf = f32x4.splat(-0.5);
  for (let i = begin; i < end; i += 16) {
    const y = v128.load(ys + i);
    let d: v128;
    if (kind == 0) d = f32x4.mul(y, f32x4.sub(one, y));
    else if (kind == 1) d = f32x4.sub(one, f32x4.mul(y, y));
    else if (kind == 2) d = f32x4.mul(minusHalf, f32x4.mul(y, f32x4.mul(y, y)));
    else d = y;
    v128.store(dx + i, f32x4.mul(v128.load(gs + i), d));
  }
}

function slowDerivative(kind: u32, y: f64): f64 {
  if (kind == 4) return Math.exp(-y);
  if (kind == 5) return y == 0 ? 0 : 0.5 / y;
  if (kind == 8) return -y * y;
  return -Math.expm1(kind == 6 ? -y : y);
}
