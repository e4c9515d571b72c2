// y = s·Σ_i x[i]. args: y 0, s 3, scratch 4, x 5. run: one chunk of rows into its own partial sum (float32);
// finish: partial sums in order (float64). No rows: zero.
import { ceilDiv, chunkRows, float, word } from "./common";

export function blocks(args: usize): i32 {
  const rows: i32 = word(args, 6);
  return ceilDiv(rows, chunkRows(rows));
}

export function scratch(args: usize): i32 {
  return blocks(args) * <i32>word(args, 7) * 4;
}

export function run(args: usize, block: i32): void {
  const rows: i32 = word(args, 6);
  const cols = <usize>word(args, 7) << 2;
  const size = chunkRows(rows);
  const first = block * size, last = min(first + size, rows);
  const part = <usize>word(args, 4) + <usize>block * cols;
  const start = <usize>word(args, 5) + <usize>first * cols;
  const whole = cols & ~15;
  memory.fill(part, 0, whole);
  let x = start;
  for (let i = first; i < last; i++, x += cols) {
    for (let k: usize = 0; k < whole; k += 16) v128.store(part + k, f32x4.add(v128.load(part + k), v128.load(x + k)));
  }
  // the last few columns one by one, in float64: single columns hold sums that nearly cancel (biases of scores)
  for (let k = whole; k < cols; k += 4) {
    let sum: f64 = 0;
    x = start + k;
    for (let i = first; i < last; i++, x += cols) sum += load<f32>(x);
    store<f32>(part + k, <f32>sum);
  }
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  const cols = <usize>word(args, 7) << 2;
  const count = blocks(args);
  const y = word(args, 0), s: f64 = float(args, 3);
  for (let k: usize = 0; k < cols; k += 4) {
    let sum: f64 = 0;
    let part = <usize>word(args, 4) + k;
    for (let b = 0; b < count; b++, part += cols) sum += load<f32>(part);
    store<f32>(y + k, <f32>(s * sum));
  }
}
