// y[i] = x[π(i)]. args: y 0, scratch 3, x 4, π 7, π⁻¹ 10. One block: ROWS rows.
import { ROWS, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  const x = <usize>word(args, 4), forward = <usize>word(args, 7);
  let y = <usize>word(args, 0) + first * cols;
  for (let i = first; i < last; i++, y += cols) {
    memory.copy(y, x + <usize>load<u32>(forward + (i << 2)) * cols, cols);
  }
}
