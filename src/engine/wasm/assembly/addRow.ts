// y[i] = x[i] + r for every row i. args: y 0, scratch 3, x 4, r 7 (one row). One block: ROWS rows. Writes y, which may be x.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), whole = bytes & ~15, first = firstRow(block), end = endRow(args, 0, block);
  const r = word(args, 7);
  let y = rowAddress(args, 0, first), x = rowAddress(args, 4, first);
  for (let i = first; i < end; i++, y += bytes, x += bytes) {
    let k: usize = 0;
    for (; k < whole; k += 16) v128.store(y + k, f32x4.add(v128.load(x + k), v128.load(r + k)));
    for (; k < bytes; k += 4) store<f32>(y + k, load<f32>(x + k) + load<f32>(r + k));
  }
}
