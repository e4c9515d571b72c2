// y = 0 but for y[:, start : start + count] = x. args: y 0, start 3, scratch 4, x 5. One block: ROWS rows.
import { ROWS, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2, count = <usize>word(args, 7) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  const start = <usize>word(args, 3) << 2;
  let y = <usize>word(args, 0) + first * cols;
  let x = <usize>word(args, 5) + first * count;
  memory.fill(y, 0, (last - first) * cols);
  for (let i = first; i < last; i++, y += cols, x += count) memory.copy(y + start, x, count);
}
