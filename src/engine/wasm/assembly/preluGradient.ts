// dx = g where x > 0, else a·g. args: dx 0, scratch 3, g 4, x 7, a 10. One block: ENTRIES entries.
import { ENTRIES, entries, entryBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = block * ENTRIES, end = min(begin + ENTRIES, entries(args, 0)), at = <usize>begin << 2;
  let dx = <usize>word(args, 0) + at, g = <usize>word(args, 4) + at, x = <usize>word(args, 7) + at;
  const a = f32x4.splat(load<f32>(word(args, 10))), zero = f32x4.splat(0);
  for (let i = begin; i < end; i += 4, dx += 16, g += 16, x += 16) {
    const v = v128.load(g);
    v128.store(dx, v128.bitselect(v, f32x4.mul(a, v), f32x4.gt(v128.load(x), zero)));
  }
}
