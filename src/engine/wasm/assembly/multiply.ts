// y = a ⊙ b, entry by entry. args: y 0, scratch 3, a 4, b 7. Reads a, b; writes y (may be a).
import { ENTRIES, entries, entryBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = <usize>block * (ENTRIES << 2);
  const end = min<usize>(begin + (ENTRIES << 2), <usize>entries(args, 0) << 2);
  const y = word(args, 0), a = word(args, 4), b = word(args, 7);
  for (let i = begin; i < end; i += 16) v128.store(y + i, f32x4.mul(v128.load(a + i), v128.load(b + i)));
}
