// y[i] = s_i·x[i]. args: y 0, scratch 3, x 4, s 7 (one number per row). One block: ROWS rows. Writes y, which may be x.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes, word } from "./kernel";
import { scaleRow } from "./vector";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), first = firstRow(block), end = endRow(args, 0, block);
  const s = <usize>word(args, 7);
  let y = rowAddress(args, 0, first), x = rowAddress(args, 4, first);
  for (let i = first; i < end; i++, y += bytes, x += bytes) scaleRow(y, x, bytes, load<f32>(s + (i << 2)));
}
