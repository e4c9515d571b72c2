// dx[j] = g[2j] + g[2·π⁻¹(j)+1]. args: dx 0, scratch 3, g 4, π⁻¹ 7. One block: ROWS rows of dx.
import { ROWS, rowBlocks, word } from "./common";
import { AHEAD, touchRow, touched } from "./touch";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const g = <usize>word(args, 4), inverse = <usize>word(args, 7), whole = cols & ~15;
  let first = <usize>block * ROWS, until = first;
  const last = min<usize>(first + ROWS, word(args, 1));
  let y = <usize>word(args, 0) + first * cols;
  for (; first < last; first = until) {
    until = min(first + AHEAD, last);
    let seen: u32 = 0;
    for (let j = first; j < until; j++) seen |= touchRow(shuffled(g, inverse, j, cols), cols);
    touched(seen);
    for (let j = first; j < until; j++, y += cols) {
      const a = g + 2 * j * cols, b = shuffled(g, inverse, j, cols);
      let k: usize = 0;
      for (; k < whole; k += 16) v128.store(y + k, f32x4.add(v128.load(a + k), v128.load(b + k)));
      for (; k < cols; k += 4) store<f32>(y + k, load<f32>(a + k) + load<f32>(b + k));
    }
  }
}

/** The row of g that belongs to row j of x in the shuffled half. */
// @ts-ignore: decorator
@inline
function shuffled(g: usize, inverse: usize, j: usize, cols: usize): usize {
  return g + (2 * <usize>load<u32>(inverse + (j << 2)) + 1) * cols;
}
