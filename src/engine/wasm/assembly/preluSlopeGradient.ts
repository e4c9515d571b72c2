// da = Σ g·min(x, 0). args: da 0, scratch 3, g 4, x 7. run: one chunk of rows into its partial sum, in float32 over
// LANE_ENTRIES entries and in float64 over those sums. finish: partial sums in order. No entries: 0.
import { chunkEntries, entryChunks, firstChunkRow, sumPartials } from "./blocks";
import { rowAddress, word } from "./kernel";
import { sumLanes } from "./vector";

/** Entries summed in float32 before they are added in float64. */
const LANE_ENTRIES: i32 = 256;

export function blocks(args: usize): i32 {
  return entryChunks(args, 4);
}

export function scratch(args: usize): i32 {
  return blocks(args) * 8;
}

export function run(args: usize, block: i32): void {
  const row = firstChunkRow(args, 4, block), g = rowAddress(args, 4, row), x = rowAddress(args, 7, row);
  const zero = f32x4.splat(0), count = chunkEntries(args, 4, block);
  let sum: f64 = 0;
  for (let first = 0; first < count; first += LANE_ENTRIES) {
    const last = min(first + LANE_ENTRIES, count), whole = last & ~3;
    let lanes = zero;
    let i = first;
    for (; i < whole; i += 4) {
      const e = <usize>i << 2;
      lanes = f32x4.add(lanes, f32x4.mul(v128.load(g + e), f32x4.min(v128.load(x + e), zero)));
    }
    sum += <f64>sumLanes(lanes);
    // one by one, because the padding after the last entry need not be zero
    for (; i < last; i++) {
      const e = <usize>i << 2;
      sum += <f64>load<f32>(g + e) * <f64>min<f32>(load<f32>(x + e), 0);
    }
  }
  store<f64>(<usize>word(args, 3) + (<usize>block << 3), sum);
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  store<f32>(word(args, 0), <f32>sumPartials(word(args, 3), blocks(args)));
}
