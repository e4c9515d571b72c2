// dx = 2·s·g·(x − c). args: dx 0, s 3, centred 4, scratch 5, g 6 (one number), x 9, c 12 if centred (otherwise c = 0).
// One block: ENTRIES entries.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { float, word } from "./kernel";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstByte(block), end = endByte(args, 0, block);
  const dx = <usize>word(args, 0), x = <usize>word(args, 9), c = word(args, 4) != 0 ? <usize>word(args, 12) : 0;
  const factor = f32x4.splat(2 * float(args, 3) * load<f32>(word(args, 6)));
  for (let i = begin; i < end; i += 16) {
    let d = v128.load(x + i);
    if (c) d = f32x4.sub(d, v128.load(c + i));
    v128.store(dx + i, f32x4.mul(factor, d));
  }
}
