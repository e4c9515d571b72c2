// y_i = ⟨a[i], b[i]⟩. args: y 0 (one column), scratch 3, a 4, b 7. One block: ROWS rows.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { dot } from "./dot";
import { rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 4), first = firstRow(block), end = endRow(args, 0, block);
  const y = <usize>word(args, 0);
  let a = rowAddress(args, 4, first), b = rowAddress(args, 7, first);
  for (let i = first; i < end; i++, a += bytes, b += bytes) store<f32>(y + (i << 2), dot(a, b, bytes));
}
