// y = x[:, start : start + count]. args: y 0, start 3, scratch 4, x 5. One block: ROWS rows.
import { ROWS, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const count = <usize>word(args, 2) << 2, cols = <usize>word(args, 7) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  let y = <usize>word(args, 0) + first * count;
  let x = <usize>word(args, 5) + first * cols + (<usize>word(args, 3) << 2);
  for (let i = first; i < last; i++, y += count, x += cols) memory.copy(y, x, count);
}
