// y[b] = x[index_b]; rows with the index MISSING are not written. args: y 0, scratch 3, x 4, index 7. One block: ROWS rows of y.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { MISSING, rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), first = firstRow(block), end = endRow(args, 0, block);
  const x = <usize>word(args, 4), index = <usize>word(args, 7);
  let y = rowAddress(args, 0, first);
  for (let b = first; b < end; b++, y += bytes) {
    const row = load<u32>(index + (b << 2));
    if (row != MISSING) memory.copy(y, x + <usize>row * bytes, bytes);
  }
}
