// y[i] = s_i·x[i] with s_i = 1/‖x[i]‖, 0 for a row of zeros; with clip s_i = 1/max(1, ‖x[i]‖).
// args: y 0, s 3, clip 6, scratch 7, x 8. One block: ROWS rows. Reads x, writes y and s.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { dot } from "./dot";
import { rowAddress, rowBytes, word } from "./kernel";
import { scaleRow } from "./vector";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), first = firstRow(block), end = endRow(args, 0, block), clip = word(args, 6) != 0;
  let y = rowAddress(args, 0, first), x = rowAddress(args, 8, first);
  for (let i = first; i < end; i++, y += bytes, x += bytes) {
    const square: f64 = dot(x, x, bytes);
    // NaN passes through: hiding it would hide a diverged run
    const s: f32 = clip ? (square <= 1 ? 1 : <f32>(1 / Math.sqrt(square))) : square == 0 ? 0 : <f32>(1 / Math.sqrt(square));
    store<f32>(<usize>word(args, 3) + (i << 2), s);
    scaleRow(y, x, bytes, s);
  }
}
