// y = max(x, 0), and a mask with one bit per entry, set where x > 0: entry e is bit e mod 32 of word e / 32.
// args: y 0, mask 3, scratch 6, x 7. One block: ENTRIES entries. Reads x, writes mask and y, which may be x. NaN stays NaN.
import { endEntry, entryBlocks, firstEntry } from "./blocks";
import { word } from "./kernel";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstEntry(block), end = endEntry(args, 0, block);
  const y = <usize>word(args, 0), x = <usize>word(args, 7);
  let mask = <usize>word(args, 3) + (<usize>begin >> 3);
  const zero = f32x4.splat(0);
  for (let e = begin; e < end; e += 32, mask += 4) {
    let bits: u32 = 0;
    const stop = min(e + 32, end);
    for (let k = e; k < stop; k += 4) {
      const at = <usize>k << 2;
      const v = v128.load(x + at);
      bits |= <u32>i32x4.bitmask(f32x4.gt(v, zero)) << (k - e);
      v128.store(y + at, f32x4.max(v, zero));
    }
    store<u32>(mask, bits);
  }
}
