// dℓ = s·g·w·(sigmoid(ℓ) − t). args: dℓ 0, s 3, weighted 4, scratch 5, ℓ 6, t 9, g 12, row weights w 15 if weighted, else 1.
// dℓ may be ℓ.
import { ceilDiv, entries, float, word } from "./common";

const SIZE: i32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE, end = min(begin + SIZE, entries(args, 0));
  const out = <usize>word(args, 0), logits = <usize>word(args, 6), targets = <usize>word(args, 9);
  const cols = <i32>word(args, 8), weights = word(args, 4) != 0 ? <usize>word(args, 15) : 0;
  const s = <f64>float(args, 3) * <f64>load<f32>(word(args, 12));
  for (let i = begin; i < end; i++) {
    const at = <usize>i << 2;
    const l: f64 = load<f32>(logits + at);
    const w = weights ? s * <f64>load<f32>(weights + (<usize>(i / cols) << 2)) : s;
    store<f32>(out + at, <f32>(w * (1 / (1 + Math.exp(-l)) - <f64>load<f32>(targets + at))));
  }
}
