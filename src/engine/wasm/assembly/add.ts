// y = a + s·b, entry by entry. args: y 0, s 3, scratch 4, a 5, b 8.
// One block: ENTRIES entries. Reads a and b, writes y, which may be a.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { float, word } from "./kernel";
import { madd } from "./vector";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstByte(block), end = endByte(args, 0, block);
  const y = word(args, 0), a = word(args, 5), b = word(args, 8);
  const s = f32x4.splat(float(args, 3));
  for (let i = begin; i < end; i += 16) v128.store(y + i, madd(s, v128.load(b + i), v128.load(a + i)));
}
