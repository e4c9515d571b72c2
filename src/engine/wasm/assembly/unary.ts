// y = f(x + offset). f by number: 0 sigmoid, 1 tanh, 2 inverse square root, 3 exponential, 4 logarithm (in float64), 5 square
// root, 6 softplus, 7 logarithm of the sigmoid, 8 reciprocal. args: y 0, f 3, offset 4, scratch 5, x 6.
// One block: SIZE entries. Reads x, writes y, which may be x.
import { ceilDiv } from "./blocks";
import { entries, float, word } from "./kernel";
import { exp4, logOnePlusExp4, sigmoid4, tanh4 } from "./exponential";

/** Entries per block: fewer than ENTRIES, because most functions cost tens of additions. Not tuned. */
const SIZE: i32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE, end = min(begin + SIZE, entries(args, 0)), kind = word(args, 3);
  let y = <usize>word(args, 0) + (<usize>begin << 2), x = <usize>word(args, 6) + (<usize>begin << 2);
  if (kind == 4) {
    const offset: f64 = float(args, 4);
    for (let i = begin; i < end; i++, y += 4, x += 4) store<f32>(y, <f32>Math.log(<f64>load<f32>(x) + offset));
    return;
  }
  const offset = f32x4.splat(float(args, 4)), zero = f32x4.splat(0), one = f32x4.splat(1);
  for (let i = begin; i < end; i += 4, y += 16, x += 16) {
    const v = f32x4.add(v128.load(x), offset);
    let r: v128;
    if (kind == 0) r = sigmoid4(v);
    else if (kind == 1) r = tanh4(v);
    else if (kind == 2) r = f32x4.div(one, f32x4.sqrt(v));
    else if (kind == 3) r = exp4(v);
    else if (kind == 5) r = f32x4.sqrt(v);
    else if (kind == 6) r = f32x4.add(f32x4.max(v, zero), logOnePlusExp4(v));
    else if (kind == 7) r = f32x4.sub(f32x4.min(v, zero), logOnePlusExp4(v));
    else r = f32x4.div(one, v);
    v128.store(y, r);
  }
}
