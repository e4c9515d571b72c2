// y = a + s·b, entry by entry. args: y 0, s 3, scratch 4, a 5, b 8. Reads a, b; writes y (may be a).
import { ENTRIES, entries, entryBlocks, float, madd, word } from "./common";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = <usize>block * (ENTRIES << 2);
  const end = min<usize>(begin + (ENTRIES << 2), <usize>entries(args, 0) << 2);
  const y = word(args, 0), a = word(args, 5), b = word(args, 8);
  const s = f32x4.splat(float(args, 3));
  for (let i = begin; i < end; i += 16) v128.store(y + i, madd(s, v128.load(b + i), v128.load(a + i)));
}
