// Draws from an alias table (Walker 1977): not a kernel.
import { MISSING } from "./kernel";
import { below, falls } from "./philox";

/** Bytes of a slot: coin, own node, other node. */
export const SLOT: usize = 12;

/** A node by two random words: the first chooses the slot, the second tosses its coin. No slots: MISSING. */
// @ts-ignore: decorator
@inline
export function drawSlot(table: usize, slots: u32, random: u32, toss: u32): u32 {
  if (slots == 0) return MISSING;
  const slot = table + <usize>below(random, slots) * SLOT;
  return falls(toss, load<u32>(slot)) ? load<u32>(slot, 4) : load<u32>(slot, 8);
}
