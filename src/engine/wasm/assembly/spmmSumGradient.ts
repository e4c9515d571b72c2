// dx = Σ_d w_d·q_d and dw_d = ⟨q_d, x⟩ with q_d = M_d·g (the M_d come transposed).
// args: dx 0, dw 3, number of matrices 6, their descriptors 7, scratch 8, w 9, x 12, g 15.
// run: ROWS rows; scratch holds per block one row q and one float64 partial dot product per matrix; finish adds those in
// block order.
import { ROWS, ceilDiv, madd, word } from "./common";
import { dot } from "./dot";
import { field, sparseRow } from "./sparse";

export function blocks(args: usize): i32 {
  return ceilDiv(word(args, 1), ROWS);
}

/** Bytes of scratch per block: the row, then the dot products. */
// @ts-ignore: decorator
@inline
function slot(args: usize): usize {
  return ((<usize>word(args, 2) * 4 + 63) & ~63) + ((<usize>word(args, 6) * 8 + 63) & ~63);
}

export function scratch(args: usize): i32 {
  return blocks(args) * <i32>slot(args);
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, g = <usize>word(args, 15), w = <usize>word(args, 9);
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  const count = <usize>word(args, 6);
  const q = <usize>word(args, 8) + <usize>block * slot(args);
  const dots = q + ((bytes + 63) & ~63);
  memory.fill(dots, 0, count << 3);
  let dx = <usize>word(args, 0) + first * bytes, x = <usize>word(args, 12) + first * bytes;
  const whole = bytes & ~15;
  for (let i = first; i < last; i++, dx += bytes, x += bytes) {
    memory.fill(dx, 0, bytes);
    for (let d: usize = 0; d < count; d++) {
      const matrix = <usize>load<u32>(<usize>word(args, 7) + (d << 2));
      sparseRow(matrix, field(matrix, 4), i, g, bytes, q, 1);
      store<f64>(dots + (d << 3), load<f64>(dots + (d << 3)) + <f64>dot(q, x, bytes));
      const s = load<f32>(w + (d << 2)), wide = f32x4.splat(s);
      let k: usize = 0;
      for (; k < whole; k += 16) v128.store(dx + k, madd(wide, v128.load(q + k), v128.load(dx + k)));
      for (; k < bytes; k += 4) store<f32>(dx + k, load<f32>(dx + k) + s * load<f32>(q + k));
    }
  }
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  const bytes = <usize>word(args, 2) << 2, step = slot(args);
  for (let d: usize = 0; d < word(args, 6); d++) {
    let sum: f64 = 0;
    let p = <usize>word(args, 8) + ((bytes + 63) & ~63) + (d << 3);
    for (let b = 0; b < blocks(args); b++, p += step) sum += load<f64>(p);
    store<f32>(<usize>word(args, 3) + (d << 2), <f32>sum);
  }
}
