// y[:, start : start + count] = x, the other columns of y are 0. args: y 0, start 3, scratch 4, x 5 (count columns).
// One block: ROWS rows.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const to = rowBytes(args, 0), from = rowBytes(args, 5), first = firstRow(block), end = endRow(args, 0, block);
  const start = <usize>word(args, 3) << 2;
  let y = rowAddress(args, 0, first), x = rowAddress(args, 5, first);
  memory.fill(y, 0, (end - first) * to);
  for (let i = first; i < end; i++, y += to, x += from) memory.copy(y + start, x, from);
}
