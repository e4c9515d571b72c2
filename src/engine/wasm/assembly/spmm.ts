// y = M·x. args: y 0, matrix 3, scratch 4, x 5. One block: ROWS rows of y; an empty row gives c·x_i or zero.
// With a right scale, prepare writes right ⊙ x into scratch once, so that the sums need additions only.
import { ROWS, ceilDiv, word } from "./common";
import { field, sparseRow } from "./sparse";

export function scratch(args: usize): i32 {
  return field(word(args, 3), 4) ? <i32>word(args, 6) * <i32>word(args, 7) * 4 : 0;
}

export function prepareBlocks(args: usize): i32 {
  return field(word(args, 3), 4) ? ceilDiv(word(args, 6), ROWS) : 0;
}

export function prepare(args: usize, block: i32): void {
  const right = field(word(args, 3), 4), bytes = <usize>word(args, 7) << 2;
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, word(args, 6));
  let x = <usize>word(args, 5) + first * bytes, y = <usize>word(args, 4) + first * bytes;
  const whole = bytes & ~15;
  for (let i = first; i < last; i++, x += bytes, y += bytes) {
    const s = load<f32>(right + (i << 2)), wide = f32x4.splat(s);
    let k: usize = 0;
    for (; k < whole; k += 16) v128.store(y + k, f32x4.mul(wide, v128.load(x + k)));
    for (; k < bytes; k += 4) store<f32>(y + k, s * load<f32>(x + k));
  }
}

export function blocks(args: usize): i32 {
  return ceilDiv(word(args, 1), ROWS);
}

export function run(args: usize, block: i32): void {
  const matrix = <usize>word(args, 3), bytes = <usize>word(args, 2) << 2, y = <usize>word(args, 0);
  const x = <usize>(field(matrix, 4) ? word(args, 4) : word(args, 5));
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  for (let i = first; i < last; i++) sparseRow(matrix, 0, i, x, bytes, y + i * bytes, 1);
}
