// y = x[:, start : start + count]. args: y 0 (count columns), start 3, scratch 4, x 5. One block: ROWS rows.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const to = rowBytes(args, 0), from = rowBytes(args, 5), first = firstRow(block), end = endRow(args, 0, block);
  let y = rowAddress(args, 0, first), x = rowAddress(args, 5, first) + (<usize>word(args, 3) << 2);
  for (let i = first; i < end; i++, y += to, x += from) memory.copy(y, x, to);
}
