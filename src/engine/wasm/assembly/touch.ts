// Reading ahead, since WebAssembly has no prefetch: not a kernel of its own.

/** Rows that are touched together before they are used. */
export const AHEAD: usize = 8;
/** A number that no float of a run has. */
const UNSEEN: u32 = 0x7fdeadbe;
/** An address below the binary's own data. */
const UNUSED: usize = 48;

/**
 * Reads a word of each line of a row, which is on its way then when it is needed. Two lines a turn: one a turn costs a product
 * with rows far apart a quarter more, four a twentieth.
 */
// @ts-ignore: decorator
@inline
export function touchRow(row: usize, bytes: usize): u32 {
  let seen: u32 = 0;
  for (let k: usize = 0; k < bytes; k += 128) seen |= load<u32>(row + k) | load<u32>(row + k, 64);
  return seen;
}

/** Makes the words that were read of use, or the compiler would leave the reads out. */
// @ts-ignore: decorator
@inline
export function touched(seen: u32): void {
  if (seen == UNSEEN) store<u32>(UNUSED, seen);
}
