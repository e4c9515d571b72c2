// y[2i] = x[i], y[2i+1] = x[π(i)]. args: y 0, scratch 3, x 4, π 7, π⁻¹ 10. One block: ROWS rows of x.
import { ROWS, ceilDiv, word } from "./common";
import { AHEAD, touchRow, touched } from "./touch";

export function blocks(args: usize): i32 {
  return ceilDiv(word(args, 5), ROWS);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const x = <usize>word(args, 4), forward = <usize>word(args, 7);
  let first = <usize>block * ROWS, until = first;
  const last = min<usize>(first + ROWS, word(args, 5));
  let y = <usize>word(args, 0) + 2 * first * cols;
  for (; first < last; first = until) {
    until = min(first + AHEAD, last);
    let seen: u32 = 0;
    for (let i = first; i < until; i++) seen |= touchRow(x + <usize>load<u32>(forward + (i << 2)) * cols, cols);
    touched(seen);
    for (let i = first; i < until; i++, y += 2 * cols) {
      copyRow(y, x + i * cols, cols);
      copyRow(y + cols, x + <usize>load<u32>(forward + (i << 2)) * cols, cols);
    }
  }
}

/** memory.copy costs a call, which is long for a row. */
// @ts-ignore: decorator
@inline
function copyRow(to: usize, from: usize, bytes: usize): void {
  const whole = bytes & ~15;
  let k: usize = 0;
  for (; k < whole; k += 16) v128.store(to + k, v128.load(from + k));
  for (; k < bytes; k += 4) store<u32>(to + k, load<u32>(from + k));
}
