// y[i] = s_i·x[i]. args: y 0, scratch 3, x 4, s 7. One block: ROWS rows. y may be x.
import { ROWS, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  let y = <usize>word(args, 0) + first * cols;
  let x = <usize>word(args, 4) + first * cols;
  const whole = cols & ~15;
  for (let i = first; i < last; i++, y += cols, x += cols) {
    const s = load<f32>(<usize>word(args, 7) + (i << 2));
    const wide = f32x4.splat(s);
    let k: usize = 0;
    for (; k < whole; k += 16) v128.store(y + k, f32x4.mul(wide, v128.load(x + k)));
    for (; k < cols; k += 4) store<f32>(y + k, s * load<f32>(x + k));
  }
}
