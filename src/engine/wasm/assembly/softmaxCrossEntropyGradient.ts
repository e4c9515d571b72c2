// dℓ[i] = s·g·(softmax(ℓ[i])·Σ_k t_ik − t[i]), computed in float64. args: dℓ 0, s 3, scratch 4, ℓ 5, t 8, g 11 (one number).
// One block: ROWS rows. Reads ℓ and t, writes dℓ, which may be ℓ.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { float, rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), first = firstRow(block), end = endRow(args, 0, block);
  const s = <f64>float(args, 3) * <f64>load<f32>(word(args, 11));
  let out = rowAddress(args, 0, first), logits = rowAddress(args, 5, first), targets = rowAddress(args, 8, first);
  for (let i = first; i < end; i++, out += bytes, logits += bytes, targets += bytes) {
    let largest: f64 = -Infinity, total: f64 = 0;
    for (let k: usize = 0; k < bytes; k += 4) {
      largest = max<f64>(largest, load<f32>(logits + k));
      total += <f64>load<f32>(targets + k);
    }
    let powers: f64 = 0;
    for (let k: usize = 0; k < bytes; k += 4) powers += Math.exp(<f64>load<f32>(logits + k) - largest);
    for (let k: usize = 0; k < bytes; k += 4) {
      const share = Math.exp(<f64>load<f32>(logits + k) - largest) / powers;
      store<f32>(out + k, <f32>(s * (total * share - <f64>load<f32>(targets + k))));
    }
  }
}
