// dx[i] = y[i] ⊙ (g[i] − ⟨g[i], y[i]⟩), computed in float64. args: dx 0, scratch 3, g 4, y 7.
// One block: ROWS rows. Reads g and y, writes dx, which may be g.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), first = firstRow(block), end = endRow(args, 0, block);
  let dx = rowAddress(args, 0, first), g = rowAddress(args, 4, first), y = rowAddress(args, 7, first);
  for (let i = first; i < end; i++, dx += bytes, g += bytes, y += bytes) {
    let dot: f64 = 0;
    for (let k: usize = 0; k < bytes; k += 4) dot += <f64>load<f32>(g + k) * <f64>load<f32>(y + k);
    for (let k: usize = 0; k < bytes; k += 4) {
      store<f32>(dx + k, <f32>(<f64>load<f32>(y + k) * (<f64>load<f32>(g + k) - dot)));
    }
  }
}
