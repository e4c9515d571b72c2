// y_i = ⟨a[i], b[i]⟩. args: y 0, scratch 3, a 4, b 7. One block: ROWS rows.
import { ROWS, rowBlocks, word } from "./common";
import { dot } from "./dot";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 6) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  const y = <usize>word(args, 0);
  for (let i = first; i < last; i++) {
    store<f32>(y + (i << 2), dot(<usize>word(args, 4) + i * cols, <usize>word(args, 7) + i * cols, cols));
  }
}
