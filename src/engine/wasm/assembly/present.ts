// y = 0 where the index is MISSING, otherwise 1. args: y 0, scratch 3, index 4. One block: ENTRIES entries.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { MISSING, word } from "./kernel";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstByte(block), end = endByte(args, 0, block);
  const y = <usize>word(args, 0), index = <usize>word(args, 4);
  const missing = i32x4.splat(MISSING), one = f32x4.splat(1);
  for (let i = begin; i < end; i += 16) v128.store(y + i, v128.and(i32x4.ne(v128.load(index + i), missing), one));
}
