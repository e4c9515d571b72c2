// y[b] = x[index_b], zeros where the index is MISSING. args: y 0, scratch 3, x 4, index 7. One block: ROWS rows of y.
import { MISSING, ROWS, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2;
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  const x = <usize>word(args, 4), index = <usize>word(args, 7);
  let y = <usize>word(args, 0) + first * bytes;
  for (let b = first; b < last; b++, y += bytes) {
    const row = load<u32>(index + (b << 2));
    if (row == MISSING) memory.fill(y, 0, bytes);
    else memory.copy(y, x + <usize>row * bytes, bytes);
  }
}
