// y[i] = s·r for every row i. args: y 0, s 3, scratch 4, r 5 (one row). One block: ROWS rows.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { float, rowAddress, rowBytes, word } from "./kernel";
import { scaleRow } from "./vector";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), first = firstRow(block), end = endRow(args, 0, block);
  const r = word(args, 5), s = float(args, 3);
  let y = rowAddress(args, 0, first);
  for (let i = first; i < end; i++, y += bytes) scaleRow(y, r, bytes, s);
}
