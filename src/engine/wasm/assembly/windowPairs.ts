// Pairs of nodes within a window on walks; the op has the order. args: left 0, right 3, window 6, reduced 7, scratch 8, walks 9,
// key 12 if reduced. One block: WALKS walks. Reads walks, writes left and right.
import { ceilDiv } from "./blocks";
import { MISSING, word } from "./kernel";
import { below, philox, w0, w1, w2, w3 } from "./philox";

/** Walks per block. Not tuned. */
const WALKS: i32 = 64;

export function blocks(args: usize): i32 {
  return ceilDiv(word(args, 10), WALKS);
}

export function run(args: usize, block: i32): void {
  const length = <i32>word(args, 11), window = <i32>word(args, 6), reduced = word(args, 7) != 0;
  const first = block * WALKS, last = min(first + WALKS, <i32>word(args, 10));
  const walks = <usize>word(args, 9), perWalk = <i32>word(args, 1) / <i32>word(args, 10);
  let pair = <usize>(first * perWalk) << 2;
  for (let e = first * length; e < last * length; e++) {
    const i = e % length, row = walks + (<usize>(e - i) << 2), a = load<u32>(row + (<usize>i << 2));
    const reach = reduced ? window - <i32>below(wordOf(word(args, 12), e), window) : window;
    const end = min(length - 1, i + window);
    for (let j = max(0, i - window); j <= end; j++) {
      if (j == i) continue;
      const b = load<u32>(row + (<usize>j << 2));
      const paired = abs(i - j) <= reach && a != MISSING && b != MISSING;
      store<u32>(<usize>word(args, 0) + pair, paired ? a : MISSING);
      store<u32>(<usize>word(args, 3) + pair, paired ? b : MISSING);
      pair += 4;
    }
  }
}

/** Word e of the random numbers of the key. */
function wordOf(key: usize, e: i32): u32 {
  philox(key, e >> 2, 0, 0);
  const k = e & 3;
  return k == 0 ? w0 : k == 1 ? w1 : k == 2 ? w2 : w3;
}
