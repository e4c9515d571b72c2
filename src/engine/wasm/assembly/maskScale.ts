// y = s·x where the mask's bit is set, otherwise 0. args: y 0, s 3, scratch 4, x 5, mask 8.
// Entry e is bit e mod 32 of the mask's word e / 32. One block: ENTRIES entries. Reads x and mask, writes y, which may be x.
import { endEntry, entryBlocks, firstEntry } from "./blocks";
import { float, word } from "./kernel";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstEntry(block), end = endEntry(args, 0, block);
  const y = <usize>word(args, 0), x = <usize>word(args, 5);
  let mask = <usize>word(args, 8) + (<usize>begin >> 3);
  const s = f32x4.splat(float(args, 3));
  const lane = i32x4(1, 2, 4, 8);
  const zero = i32x4.splat(0);
  for (let e = begin; e < end; e += 32, mask += 4) {
    let bits = load<u32>(mask);
    const stop = min(e + 32, end);
    for (let k = e; k < stop; k += 4, bits >>= 4) {
      const at = <usize>k << 2;
      const keep = i32x4.ne(v128.and(i32x4.splat(bits), lane), zero);
      v128.store(y + at, v128.and(f32x4.mul(s, v128.load(x + at)), keep));
    }
  }
}
