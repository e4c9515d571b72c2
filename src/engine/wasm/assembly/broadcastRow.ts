// y[i] = s·r for every row. args: y 0, s 3, scratch 4, r 5. One block: ROWS rows.
import { ROWS, float, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  const r = word(args, 5), s = float(args, 3);
  const wide = f32x4.splat(s);
  let y = <usize>word(args, 0) + first * cols;
  const whole = cols & ~15;
  for (let i = first; i < last; i++) {
    let k: usize = 0;
    for (; k < whole; k += 16) v128.store(y + k, f32x4.mul(wide, v128.load(r + k)));
    for (; k < cols; k += 4) store<f32>(y + k, s * load<f32>(r + k));
    y += cols;
  }
}
