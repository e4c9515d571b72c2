// Reads rows ahead of their use, because WebAssembly has no prefetch: not a kernel.

/** Rows that are touched together before they are used. Not tuned. */
export const AHEAD: usize = 8;
/** A bit pattern that no float of a run has. */
const UNSEEN: u32 = 0x7fdeadbe;
/** An unused address below the static data of the binary. */
const UNUSED: usize = 48;

/**
 * Reads a word of each cache line of a row, so that the row is being fetched when it is needed. Two lines per turn: a product
 * with rows far apart takes a quarter longer with one line per turn, a twentieth longer with four.
 */
// @ts-ignore: decorator
@inline
export function touchRow(row: usize, bytes: usize): u32 {
  let seen: u32 = 0;
  for (let k: usize = 0; k < bytes; k += 128) seen |= load<u32>(row + k) | load<u32>(row + k, 64);
  return seen;
}

/** Uses the words that were read: otherwise the compiler would remove the reads. */
// @ts-ignore: decorator
@inline
export function touched(seen: u32): void {
  if (seen == UNSEEN) store<u32>(UNUSED, seen);
}
