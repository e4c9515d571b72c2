// dx[i] = s_i·(g[i] − ⟨g[i], y[i]⟩·y[i]); with clip, rows of factor 1 pass g. args: dx 0, clip 3, scratch 4, g 5, y 8, s 11.
// One block: ROWS rows. dx may be g.
import { ROWS, madd, rowBlocks, word } from "./common";
import { dot } from "./dot";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, whole = bytes & ~15, clip = word(args, 3) != 0;
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  let dx = <usize>word(args, 0) + first * bytes, g = <usize>word(args, 5) + first * bytes;
  let y = <usize>word(args, 8) + first * bytes;
  for (let i = first; i < last; i++, dx += bytes, g += bytes, y += bytes) {
    const s = load<f32>(<usize>word(args, 11) + (i << 2));
    if (clip && s == 1) {
      memory.copy(dx, g, bytes);
      continue;
    }
    const along = -dot(g, y, bytes);
    const wide = f32x4.splat(s), wideAlong = f32x4.splat(along);
    let k: usize = 0;
    for (; k < whole; k += 16) {
      v128.store(dx + k, f32x4.mul(wide, madd(wideAlong, v128.load(y + k), v128.load(g + k))));
    }
    for (; k < bytes; k += 4) store<f32>(dx + k, s * (load<f32>(g + k) + along * load<f32>(y + k)));
  }
}
