// Keeps entry e if word e mod 4 of Philox(counter first + e/4, key) ≥ threshold and multiplies it by s; the other entries become 0.
// args: y 0, mask 3, threshold 6, s 7, first 8, scratch 9, x 10, key 13. One block: ENTRIES entries. Reads x, writes y
// and the mask, whose bit e mod 32 of word e / 32 is set where entry e is kept.
import { endEntry, entryBlocks, firstEntry } from "./blocks";
import { float, word } from "./kernel";
import { philox, w0, w1, w2, w3 } from "./philox";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstEntry(block), end = endEntry(args, 0, block);
  const y = <usize>word(args, 0), x = <usize>word(args, 10);
  const key = <usize>word(args, 13), counter = word(args, 8);
  const threshold = word(args, 6), s = float(args, 7);
  let mask = <usize>word(args, 3) + (<usize>begin >> 3);
  for (let e = begin; e < end; e += 32, mask += 4) {
    let bits: u32 = 0;
    const stop = min(e + 32, end);
    for (let k = e; k < stop; k += 4) {
      philox(key, counter + (<u32>k >> 2), 0, 0);
      const keep = <u32>(w0 >= threshold) | (<u32>(w1 >= threshold) << 1) | (<u32>(w2 >= threshold) << 2) | (<u32>(w3 >= threshold) << 3);
      bits |= keep << (k - e);
      const at = <usize>k << 2;
      const lanes = i32x4.ne(v128.and(i32x4.splat(keep), i32x4(1, 2, 4, 8)), i32x4.splat(0));
      v128.store(y + at, v128.and(f32x4.mul(f32x4.splat(s), v128.load(x + at)), lanes));
    }
    store<u32>(mask, bits);
  }
}
