// y = 1 where an index is given, 0 where it is MISSING. args: y 0, scratch 3, index 4.
import { ENTRIES, MISSING, entries, entryBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = <usize>block * (ENTRIES << 2);
  const end = min<usize>(begin + (ENTRIES << 2), <usize>entries(args, 0) << 2);
  const y = <usize>word(args, 0), index = <usize>word(args, 4);
  const missing = i32x4.splat(MISSING), one = f32x4.splat(1);
  for (let i = begin; i < end; i += 16) v128.store(y + i, v128.and(i32x4.ne(v128.load(index + i), missing), one));
}
