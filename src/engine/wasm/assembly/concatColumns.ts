// y = [x_1 | x_2 | …]. args: y 0, number of inputs 3, scratch 4, inputs from 5 on. One block: ROWS rows.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const first = firstRow(block), end = endRow(args, 0, block);
  let y = rowAddress(args, 0, first);
  for (let i = first; i < end; i++) {
    for (let d = 0; d < <i32>word(args, 3); d++) {
      const bytes = rowBytes(args, 5 + 3 * d);
      memory.copy(y, rowAddress(args, 5 + 3 * d, i), bytes);
      y += bytes;
    }
  }
}
