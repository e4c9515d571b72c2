// y = s·Σ_i Σ_k t_ik·(log Σ_j exp(ℓ_ij) − ℓ_ik), computed in float64. args: y 0, s 3, scratch 4, ℓ 5, t 8.
// run: one chunk of rows into its partial sum. finish: partial sums in order. No rows: 0.
import { chunkBlocks, chunkRows, sumPartials } from "./blocks";
import { float, rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return chunkBlocks(word(args, 6));
}

export function scratch(args: usize): i32 {
  return blocks(args) * 8;
}

export function run(args: usize, block: i32): void {
  const rows = <i32>word(args, 6), size = chunkRows(rows), bytes = rowBytes(args, 5);
  const first = block * size, end = min(first + size, rows);
  let logits = rowAddress(args, 5, first), targets = rowAddress(args, 8, first);
  let sum: f64 = 0;
  for (let i = first; i < end; i++, logits += bytes, targets += bytes) {
    let largest: f64 = -Infinity;
    for (let k: usize = 0; k < bytes; k += 4) largest = max<f64>(largest, load<f32>(logits + k));
    let powers: f64 = 0;
    for (let k: usize = 0; k < bytes; k += 4) powers += Math.exp(<f64>load<f32>(logits + k) - largest);
    const whole = largest + Math.log(powers);
    for (let k: usize = 0; k < bytes; k += 4) {
      sum += <f64>load<f32>(targets + k) * (whole - <f64>load<f32>(logits + k));
    }
  }
  store<f64>(<usize>word(args, 4) + (<usize>block << 3), sum);
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  store<f32>(word(args, 0), <f32>(<f64>float(args, 3) * sumPartials(word(args, 4), blocks(args))));
}
