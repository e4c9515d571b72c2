// dℓ = s·g·(sigmoid(ℓ) − t). args: dℓ 0, s 3, scratch 4, ℓ 5, t 8, g 11. dℓ may be ℓ.
import { ceilDiv, entries, float, word } from "./common";

const SIZE: i32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE, end = min(begin + SIZE, entries(args, 0));
  const out = <usize>word(args, 0), logits = <usize>word(args, 5), targets = <usize>word(args, 8);
  const s = <f64>float(args, 3) * <f64>load<f32>(word(args, 11));
  for (let i = begin; i < end; i++) {
    const at = <usize>i << 2;
    const l: f64 = load<f32>(logits + at);
    store<f32>(out + at, <f32>(s * (1 / (1 + Math.exp(-l)) - <f64>load<f32>(targets + at))));
  }
}
