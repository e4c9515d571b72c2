// dx = g where x > 0, otherwise a·g. args: dx 0, scratch 3, g 4, x 7, a 10. One block: ENTRIES entries.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { word } from "./kernel";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstByte(block), end = endByte(args, 0, block);
  const dx = <usize>word(args, 0), g = <usize>word(args, 4), x = <usize>word(args, 7);
  const a = f32x4.splat(load<f32>(word(args, 10))), zero = f32x4.splat(0);
  for (let i = begin; i < end; i += 16) {
    const v = v128.load(g + i);
    v128.store(dx + i, v128.bitselect(v, f32x4.mul(a, v), f32x4.gt(v128.load(x + i), zero)));
  }
}
