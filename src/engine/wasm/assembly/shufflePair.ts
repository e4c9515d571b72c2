// y[2i] = x[i], y[2i+1] = x[π(i)]. args: y 0, scratch 3, x 4, π 7, π⁻¹ 10. One block: ROWS rows of x.
import { ROWS, ceilDiv, word } from "./common";

export function blocks(args: usize): i32 {
  return ceilDiv(word(args, 5), ROWS);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 5));
  const x = <usize>word(args, 4), forward = <usize>word(args, 7);
  let y = <usize>word(args, 0) + 2 * first * cols;
  for (let i = first; i < last; i++, y += 2 * cols) {
    memory.copy(y, x + i * cols, cols);
    memory.copy(y + cols, x + <usize>load<u32>(forward + (i << 2)) * cols, cols);
  }
}
