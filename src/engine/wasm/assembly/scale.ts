// y = s·x, entry by entry. args: y 0, s 3, scratch 4, x 5. One block: ENTRIES entries. Reads x, writes y, which may be x.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { float, word } from "./kernel";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstByte(block), end = endByte(args, 0, block);
  const y = word(args, 0), x = word(args, 5);
  const s = f32x4.splat(float(args, 3));
  for (let i = begin; i < end; i += 16) v128.store(y + i, f32x4.mul(s, v128.load(x + i)));
}
