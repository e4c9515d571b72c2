// y[i] = exp(x[i] − max) / Σ exp(x[i] − max), computed in float64. args: y 0, scratch 3, x 4.
// One block: ROWS rows. Reads x, writes y, which may be x.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { rowAddress, rowBytes } from "./kernel";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 0), first = firstRow(block), end = endRow(args, 0, block);
  let y = rowAddress(args, 0, first), x = rowAddress(args, 4, first);
  for (let i = first; i < end; i++, y += bytes, x += bytes) {
    let largest: f64 = -Infinity;
    for (let k: usize = 0; k < bytes; k += 4) largest = max<f64>(largest, load<f32>(x + k));
    let sum: f64 = 0;
    for (let k: usize = 0; k < bytes; k += 4) {
      const e = Math.exp(<f64>load<f32>(x + k) - largest);
      sum += e;
      store<f32>(y + k, <f32>e);
    }
    for (let k: usize = 0; k < bytes; k += 4) store<f32>(y + k, <f32>(<f64>load<f32>(y + k) / sum));
  }
}
