// Draws from the alias table of each row's group; the op has the formula. args: nodes 0, scratch 3, key 4, tables 7 (coin, own,
// other), start 10, groups 13. One block: SIZE draws. A MISSING group or an empty table gives MISSING.
import { SLOT, drawSlot } from "./alias-table";
import { ceilDiv } from "./blocks";
import { MISSING, entries, word } from "./kernel";
import { philox, w0, w1, w2, w3 } from "./philox";

/** Draws per block. Even, because two draws share one Philox block (about a hundred additions). Not tuned. */
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
    node = drawSlot(<usize>word(args, 7) + <usize>first * SLOT, slots, random, coin);
  }
  store<u32>(<usize>word(args, 0) + (<usize>e << 2), node);
}
