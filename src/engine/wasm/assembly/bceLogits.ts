// y = s·Σ w·(max(ℓ, 0) − ℓ·t + log(1 + exp(−|ℓ|))), float64 inside. args: y 0, s 3, weighted 4, scratch 5, ℓ 6, t 9,
// row weights w 12 if weighted, else 1.
// run: one chunk into its partial sum; finish: partial sums in order.
import { ceilDiv, chunkRows, entries, float, word } from "./common";

export function blocks(args: usize): i32 {
  const n = entries(args, 6);
  return ceilDiv(n, chunkRows(n));
}

export function scratch(args: usize): i32 {
  return blocks(args) * 8;
}

export function run(args: usize, block: i32): void {
  const n = entries(args, 6), size = chunkRows(n);
  const first = block * size, last = min(first + size, n);
  const logits = <usize>word(args, 6), targets = <usize>word(args, 9);
  const cols = <i32>word(args, 8), weights = word(args, 4) != 0 ? <usize>word(args, 12) : 0;
  let left = cols - first % cols, w: f64 = weights ? load<f32>(weights + (<usize>(first / cols) << 2)) : 1;
  let sum: f64 = 0;
  for (let i = first; i < last; i++) {
    const l: f64 = load<f32>(logits + (<usize>i << 2)), t: f64 = load<f32>(targets + (<usize>i << 2));
    sum += w * (max<f64>(l, 0) - l * t + Math.log1p(Math.exp(-Math.abs(l))));
    if (--left > 0 || !weights || i + 1 == last) continue;
    w = load<f32>(weights + (<usize>((i + 1) / cols) << 2));
    left = cols;
  }
  store<f64>(<usize>word(args, 5) + (<usize>block << 3), sum);
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  let sum: f64 = 0;
  for (let b = 0; b < blocks(args); b++) sum += load<f64>(<usize>word(args, 5) + (<usize>b << 3));
  store<f32>(word(args, 0), <f32>(<f64>float(args, 3) * sum));
}
