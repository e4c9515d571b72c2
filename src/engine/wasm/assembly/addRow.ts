// y[i] = x[i] + r for every row. args: y 0, scratch 3, x 4, r 7. One block: ROWS rows. y may be x.
import { ROWS, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  const r = word(args, 7);
  let y = <usize>word(args, 0) + first * cols;
  let x = <usize>word(args, 4) + first * cols;
  const whole = cols & ~15;
  for (let i = first; i < last; i++) {
    let k: usize = 0;
    for (; k < whole; k += 16) v128.store(y + k, f32x4.add(v128.load(x + k), v128.load(r + k)));
    for (; k < cols; k += 4) store<f32>(y + k, load<f32>(x + k) + load<f32>(r + k));
    y += cols;
    x += cols;
  }
}
