// Reading ahead, since WebAssembly has no prefetch: not a kernel of its own.

const LINE: usize = 64;
/** A number that no float of a run has. */
const UNSEEN: u32 = 0x7fdeadbe;
/** An address below the binary's own data. */
const UNUSED: usize = 48;

/** Reads a word of each line of a row, which is on its way then when it is needed. */
// @ts-ignore: decorator
@inline
export function touchRow(row: usize, bytes: usize): u32 {
  let seen: u32 = 0;
  for (let k: usize = 0; k < bytes; k += LINE) seen |= load<u32>(row + k);
  return seen;
}

/** Makes the words that were read of use, or the compiler would leave the reads out. */
// @ts-ignore: decorator
@inline
export function touched(seen: u32): void {
  if (seen == UNSEEN) store<u32>(UNUSED, seen);
}
