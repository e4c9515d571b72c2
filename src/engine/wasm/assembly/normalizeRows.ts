// y[i] = s_i·x[i], s = 1/‖x[i]‖ (0 for a row of zeros), or with clip 1/max(1, ‖x[i]‖).
// args: y 0, s 3, clip 6, scratch 7, x 8. One block: ROWS rows.
import { ROWS, rowBlocks, word } from "./common";
import { dot } from "./dot";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, whole = bytes & ~15, clip = word(args, 6) != 0;
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  let y = <usize>word(args, 0) + first * bytes, x = <usize>word(args, 8) + first * bytes;
  for (let i = first; i < last; i++, y += bytes, x += bytes) {
    const square: f64 = dot(x, x, bytes);
    // NaN passes through: hiding it would hide a diverged run
    const s: f32 = clip ? (square <= 1 ? 1 : <f32>(1 / Math.sqrt(square))) : square == 0 ? 0 : <f32>(1 / Math.sqrt(square));
    store<f32>(<usize>word(args, 3) + (i << 2), s);
    const wide = f32x4.splat(s);
    let k: usize = 0;
    for (; k < whole; k += 16) v128.store(y + k, f32x4.mul(wide, v128.load(x + k)));
    for (; k < bytes; k += 4) store<f32>(y + k, s * load<f32>(x + k));
  }
}
