// y = s·Σ max(ℓ, 0) − ℓ·t + log(1 + exp(−|ℓ|)), float64 inside. args: y 0, s 3, scratch 4, ℓ 5, t 8.
// run: one chunk into its partial sum; finish: partial sums in order.
import { ceilDiv, chunkRows, entries, float, word } from "./common";

export function blocks(args: usize): i32 {
  const n = entries(args, 5);
  return ceilDiv(n, chunkRows(n));
}

export function scratch(args: usize): i32 {
  return blocks(args) * 8;
}

export function run(args: usize, block: i32): void {
  const n = entries(args, 5), size = chunkRows(n);
  const first = block * size, last = min(first + size, n);
  const logits = <usize>word(args, 5), targets = <usize>word(args, 8);
  let sum: f64 = 0;
  for (let i = first; i < last; i++) {
    const l: f64 = load<f32>(logits + (<usize>i << 2)), t: f64 = load<f32>(targets + (<usize>i << 2));
    sum += max<f64>(l, 0) - l * t + Math.log1p(Math.exp(-Math.abs(l)));
  }
  store<f64>(<usize>word(args, 4) + (<usize>block << 3), sum);
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  let sum: f64 = 0;
  for (let b = 0; b < blocks(args); b++) sum += load<f64>(<usize>word(args, 4) + (<usize>b << 3));
  store<f32>(word(args, 0), <f32>(<f64>float(args, 3) * sum));
}
