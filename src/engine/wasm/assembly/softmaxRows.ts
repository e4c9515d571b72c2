// Softmax along each row, in float64. args: y 0, scratch 3, x 4. One block: ROWS rows. y may be x.
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
  for (let i = first; i < last; i++, y += cols, x += cols) {
    let largest: f64 = -Infinity;
    for (let k: usize = 0; k < cols; k += 4) largest = max<f64>(largest, load<f32>(x + k));
    let sum: f64 = 0;
    for (let k: usize = 0; k < cols; k += 4) {
      const e = Math.exp(<f64>load<f32>(x + k) - largest);
      sum += e;
      store<f32>(y + k, <f32>e);
    }
    for (let k: usize = 0; k < cols; k += 4) store<f32>(y + k, <f32>(<f64>load<f32>(y + k) / sum));
  }
}
