// dx[i] = s_i·(g[i] − ⟨g[i], y[i]⟩·y[i]); with clip, dx[i] = g[i] where s_i = 1. args: dx 0, clip 3, scratch 4, g 5, y 8, s 11.
// One block: ROWS rows. Reads g, y and s, writes dx, which may be g.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { dot } from "./dot";
import { rowAddress, rowBytes, word } from "./kernel";
import { madd } from "./vector";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), whole = bytes & ~15, clip = word(args, 3) != 0;
  const first = firstRow(block), end = endRow(args, 0, block);
  let dx = rowAddress(args, 0, first), g = rowAddress(args, 5, first), y = rowAddress(args, 8, first);
  for (let i = first; i < end; i++, dx += bytes, g += bytes, y += bytes) {
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
