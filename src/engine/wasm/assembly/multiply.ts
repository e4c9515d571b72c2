// y = a ⊙ b, entry by entry. args: y 0, scratch 3, a 4, b 7. One block: ENTRIES entries. Reads a and b, writes y, which may be a.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { word } from "./kernel";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstByte(block), end = endByte(args, 0, block);
  const y = word(args, 0), a = word(args, 4), b = word(args, 7);
  for (let i = begin; i < end; i += 16) v128.store(y + i, f32x4.mul(v128.load(a + i), v128.load(b + i)));
}
