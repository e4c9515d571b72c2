// y = max(x, 0) + a·min(x, 0). args: y 0, scratch 3, x 4, a 7. One block: ENTRIES entries.
import { ENTRIES, entries, entryBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = block * ENTRIES, end = min(begin + ENTRIES, entries(args, 0));
  let y = <usize>word(args, 0) + (<usize>begin << 2), x = <usize>word(args, 4) + (<usize>begin << 2);
  const a = f32x4.splat(load<f32>(word(args, 7))), zero = f32x4.splat(0);
  for (let i = begin; i < end; i += 4, y += 16, x += 16) {
    const v = v128.load(x);
    v128.store(y, f32x4.add(f32x4.max(v, zero), f32x4.mul(a, f32x4.min(v, zero))));
  }
}
