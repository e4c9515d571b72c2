// y = [x_1 | x_2 | …]. args: y 0, number of inputs 3, scratch 4, inputs from 5 on. One block: ROWS rows.
import { ROWS, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  let y = <usize>word(args, 0) + first * cols;
  for (let i = first; i < last; i++) {
    for (let d = 0; d < <i32>word(args, 3); d++) {
      const count = <usize>word(args, 5 + 3 * d + 2) << 2;
      memory.copy(y, <usize>word(args, 5 + 3 * d) + i * count, count);
      y += count;
    }
  }
}
