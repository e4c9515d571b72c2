// y = Σ_d w_d·M_d·x. args: y 0, number of matrices 3, their descriptors 4, scratch 5, w 6, x 9.
// One block: ROWS rows of y, matrix after matrix; a row of scratch per block holds M_d·x for one row at a time.
import { ROWS, ceilDiv, word } from "./common";
import { field, sparseRow } from "./sparse";

export function blocks(args: usize): i32 {
  return ceilDiv(word(args, 1), ROWS);
}

export function scratch(args: usize): i32 {
  return blocks(args) * ((<i32>word(args, 2) * 4 + 63) & ~63);
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, x = <usize>word(args, 9), w = <usize>word(args, 6);
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  const part = <usize>word(args, 5) + <usize>block * ((bytes + 63) & ~63);
  let y = <usize>word(args, 0) + first * bytes;
  for (let i = first; i < last; i++, y += bytes) {
    memory.fill(y, 0, bytes);
    for (let d: usize = 0; d < word(args, 3); d++) {
      const matrix = <usize>load<u32>(<usize>word(args, 4) + (d << 2));
      sparseRow(matrix, field(matrix, 4), i, x, bytes, part, load<f32>(w + (d << 2)));
      accumulate(y, part, bytes);
    }
  }
}

/** y += part. */
// @ts-ignore: decorator
@inline
function accumulate(y: usize, part: usize, bytes: usize): void {
  let k: usize = 0;
  const whole = bytes & ~15;
  for (; k < whole; k += 16) v128.store(y + k, f32x4.add(v128.load(y + k), v128.load(part + k)));
  for (; k < bytes; k += 4) store<f32>(y + k, load<f32>(y + k) + load<f32>(part + k));
}
