// y = max(x, 0) + a·min(x, 0). args: y 0, scratch 3, x 4, a 7. One block: ENTRIES entries. Reads x and the number a, writes y.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { word } from "./kernel";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstByte(block), end = endByte(args, 0, block);
  const y = <usize>word(args, 0), x = <usize>word(args, 4);
  const a = f32x4.splat(load<f32>(word(args, 7))), zero = f32x4.splat(0);
  for (let i = begin; i < end; i += 16) {
    const v = v128.load(x + i);
    v128.store(y + i, f32x4.add(f32x4.max(v, zero), f32x4.mul(a, f32x4.min(v, zero))));
  }
}
