// y[i] = x[π(i)]. args: y 0, scratch 3, x 4, π 7, π⁻¹ 10 (not read). One block: ROWS rows of y.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), first = firstRow(block), end = endRow(args, 0, block);
  const forward = <usize>word(args, 7);
  let y = rowAddress(args, 0, first);
  for (let i = first; i < end; i++, y += bytes) {
    memory.copy(y, rowAddress(args, 4, <usize>load<u32>(forward + (i << 2))), bytes);
  }
}
