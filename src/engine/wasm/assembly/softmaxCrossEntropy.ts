// y = s·Σ_i Σ_k t·(log Σ_j exp(ℓ_ij) − ℓ), float64 inside. args: y 0, s 3, scratch 4, ℓ 5, t 8.
// run: one chunk of rows into its partial sum; finish: partial sums in order.
import { ceilDiv, chunkRows, float, word } from "./common";

export function blocks(args: usize): i32 {
  const rows = <i32>word(args, 6);
  return ceilDiv(rows, chunkRows(rows));
}

export function scratch(args: usize): i32 {
  return blocks(args) * 8;
}

export function run(args: usize, block: i32): void {
  const rows = <i32>word(args, 6), size = chunkRows(rows), cols = <usize>word(args, 7) << 2;
  const first = block * size, last = min(first + size, rows);
  let logits = <usize>word(args, 5) + <usize>first * cols, targets = <usize>word(args, 8) + <usize>first * cols;
  let sum: f64 = 0;
  for (let i = first; i < last; i++, logits += cols, targets += cols) {
    let largest: f64 = -Infinity;
    for (let k: usize = 0; k < cols; k += 4) largest = max<f64>(largest, load<f32>(logits + k));
    let powers: f64 = 0;
    for (let k: usize = 0; k < cols; k += 4) powers += Math.exp(<f64>load<f32>(logits + k) - largest);
    const whole = largest + Math.log(powers);
    for (let k: usize = 0; k < cols; k += 4) {
      sum += <f64>load<f32>(targets + k) * (whole - <f64>load<f32>(logits + k));
    }
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
