// Draws from the alias table of each row's group (see the op). args: nodes 0, scratch 3, key 4, tables 7 (coin, own, other),
// start 10, groups 13. One block: SIZE draws.
import { MISSING, ceilDiv, entries, word } from "./common";
import { below, falls, philox, w0, w1, w2, w3 } from "./philox";

/** Two draws cost one Philox block, about a hundred additions. Even. */
const SIZE: i32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE, end = min(begin + SIZE, entries(args, 0)), key = <usize>word(args, 4);
  for (let e = begin; e < end; e += 2) {
    philox(key, e >> 1, 0, 0);
    const second = w2, coin = w3;
    draw(args, e, w0, w1);
    if (e + 1 < end) draw(args, e + 1, second, coin);
  }
}

function draw(args: usize, e: i32, random: u32, coin: u32): void {
  const group = load<u32>(<usize>word(args, 13) + (<usize>(e / <i32>word(args, 2)) << 2));
  let node: u32 = MISSING;
  if (group != MISSING) {
    const start = <usize>word(args, 10) + (<usize>group << 2);
    const first = load<u32>(start), slots = load<u32>(start, 4) - first;
    if (slots > 0) {
      const slot = <usize>word(args, 7) + <usize>(first + below(random, slots)) * 12;
      node = falls(coin, load<u32>(slot)) ? load<u32>(slot, 4) : load<u32>(slot, 8);
    }
  }
  store<u32>(<usize>word(args, 0) + (<usize>e << 2), node);
}
