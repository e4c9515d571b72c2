// y = f(x + offset), f by number: 0 sigmoid, 1 tanh, 2 inverse square root, 3 exponential, 4 logarithm, 5 square root,
// 6 softplus, 7 log of the sigmoid; evaluated in float64. args: y 0, f 3, offset 4, scratch 5, x 6. y may be x.
import { ceilDiv, entries, float, word } from "./common";

/** A transcendental costs about a hundred additions: smaller blocks than the other entry-wise kernels. */
const SIZE: i32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE;
  const end = min(begin + SIZE, entries(args, 0));
  const kind = word(args, 3), offset: f64 = float(args, 4);
  let y = <usize>word(args, 0) + (<usize>begin << 2), x = <usize>word(args, 6) + (<usize>begin << 2);
  for (let i = begin; i < end; i++, y += 4, x += 4) {
    const v = <f64>load<f32>(x) + offset;
    let r: f64;
    if (kind == 0) r = 1 / (1 + Math.exp(-v));
    else if (kind == 1) r = Math.tanh(v);
    else if (kind == 2) r = 1 / Math.sqrt(v);
    else if (kind == 3) r = Math.exp(v);
    else if (kind == 4) r = Math.log(v);
    else if (kind == 5) r = Math.sqrt(v);
    else if (kind == 6) r = max<f64>(v, 0) + Math.log1p(Math.exp(-Math.abs(v)));
    else r = min<f64>(v, 0) - Math.log1p(Math.exp(-Math.abs(v)));
    store<f32>(y, <f32>r);
  }
}
