// Draws from an alias table; the op has the formula. args: nodes 0, scratch 3, key 4, table 7 (coin, own, other).
// One block: SIZE draws. An empty table gives MISSING.
import { drawSlot } from "./alias-table";
import { ceilDiv } from "./blocks";
import { entries, word } from "./kernel";
import { philox, w0, w1, w2, w3 } from "./philox";

/** Draws per block. Even, because two draws share one Philox block (about a hundred additions). Not tuned. */
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
    store<u32>(at, drawSlot(table, slots, w0, w1));
    if (e + 1 < end) store<u32>(at, drawSlot(table, slots, second, coin), 4);
  }
}
