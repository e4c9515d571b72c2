// y = s·Σ_i x[i]. args: y 0 (one row), s 3, scratch 4, x 5. run: one chunk of rows into its partial sum (float32).
// finish: partial sums in order (float64). No rows: zeros.
import { chunkBlocks, chunkRows } from "./blocks";
import { float, rowAddress, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return chunkBlocks(word(args, 6));
}

export function scratch(args: usize): i32 {
  return blocks(args) * <i32>word(args, 7) * 4;
}

export function run(args: usize, block: i32): void {
  const rows: i32 = word(args, 6), size = chunkRows(rows), bytes = rowBytes(args, 5), whole = bytes & ~15;
  const first = block * size, end = min(first + size, rows);
  const part = <usize>word(args, 4) + <usize>block * bytes, start = rowAddress(args, 5, first);
  memory.fill(part, 0, whole);
  let x = start;
  for (let i = first; i < end; i++, x += bytes) {
    for (let k: usize = 0; k < whole; k += 16) v128.store(part + k, f32x4.add(v128.load(part + k), v128.load(x + k)));
  }
  // the columns after the last whole vector one by one, in float64: the sum of a single column may nearly cancel (bias of a score)
  for (let k = whole; k < bytes; k += 4) {
    let sum: f64 = 0;
    x = start + k;
    for (let i = first; i < end; i++, x += bytes) sum += load<f32>(x);
    store<f32>(part + k, <f32>sum);
  }
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  const bytes = rowBytes(args, 5), count = blocks(args);
  const y = word(args, 0), s: f64 = float(args, 3);
  for (let k: usize = 0; k < bytes; k += 4) {
    let sum: f64 = 0;
    let part = <usize>word(args, 4) + k;
    for (let b = 0; b < count; b++, part += bytes) sum += load<f32>(part);
    store<f32>(y + k, <f32>(s * sum));
  }
}
