// Draws from an alias table (see the op). args: nodes 0, scratch 3, key 4, table 7 (coin, own, other). One block: SIZE draws.
import { MISSING, ceilDiv, entries, word } from "./common";
import { below, falls, philox, w0, w1, w2, w3 } from "./philox";

/** Two draws cost one Philox block, about a hundred additions. Even. */
const SIZE: i32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE, end = min(begin + SIZE, entries(args, 0));
  const nodes = <usize>word(args, 0), key = <usize>word(args, 4), table = <usize>word(args, 7), slots = word(args, 8);
  for (let e = begin; e < end; e += 2) {
    philox(key, e >> 1, 0, 0);
    const second = w2, coin = w3, at = nodes + (<usize>e << 2);
    store<u32>(at, draw(table, slots, w0, w1));
    if (e + 1 < end) store<u32>(at, draw(table, slots, second, coin), 4);
  }
}

// @ts-ignore: decorator
@inline
function draw(table: usize, slots: u32, random: u32, coin: u32): u32 {
  if (slots == 0) return MISSING;
  const slot = table + <usize>below(random, slots) * 12;
  return falls(coin, load<u32>(slot)) ? load<u32>(slot, 4) : load<u32>(slot, 8);
}
