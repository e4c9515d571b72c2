// dℓ = s·g·(softmax(ℓ_i)·Σ_k t_ik − t), float64 inside. args: dℓ 0, s 3, scratch 4, ℓ 5, t 8, g 11. One block: ROWS rows.
// dℓ may be ℓ.
import { ROWS, float, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  const s = <f64>float(args, 3) * <f64>load<f32>(word(args, 11));
  let out = <usize>word(args, 0) + first * cols;
  let logits = <usize>word(args, 5) + first * cols, targets = <usize>word(args, 8) + first * cols;
  for (let i = first; i < last; i++, out += cols, logits += cols, targets += cols) {
    let largest: f64 = -Infinity, total: f64 = 0;
    for (let k: usize = 0; k < cols; k += 4) {
      largest = max<f64>(largest, load<f32>(logits + k));
      total += <f64>load<f32>(targets + k);
    }
    let powers: f64 = 0;
    for (let k: usize = 0; k < cols; k += 4) powers += Math.exp(<f64>load<f32>(logits + k) - largest);
    for (let k: usize = 0; k < cols; k += 4) {
      const share = Math.exp(<f64>load<f32>(logits + k) - largest) / powers;
      store<f32>(out + k, <f32>(s * (total * share - <f64>load<f32>(targets + k))));
    }
  }
}
