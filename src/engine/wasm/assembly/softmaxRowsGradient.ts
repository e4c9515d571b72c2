// dx = y ⊙ (g − ⟨g, y⟩) per row. args: dx 0, scratch 3, g 4, y 7. One block: ROWS rows. dx may be g.
import { ROWS, rowBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const cols = <usize>word(args, 2) << 2;
  const first = <usize>block * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  let dx = <usize>word(args, 0) + first * cols;
  let g = <usize>word(args, 4) + first * cols;
  let y = <usize>word(args, 7) + first * cols;
  for (let i = first; i < last; i++, dx += cols, g += cols, y += cols) {
    let dot: f64 = 0;
    for (let k: usize = 0; k < cols; k += 4) dot += <f64>load<f32>(g + k) * <f64>load<f32>(y + k);
    for (let k: usize = 0; k < cols; k += 4) {
      store<f32>(dx + k, <f32>(<f64>load<f32>(y + k) * (<f64>load<f32>(g + k) - dot)));
    }
  }
}
