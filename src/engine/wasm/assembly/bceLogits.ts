// y = s·Σ w_i·(max(ℓ, 0) − ℓ·t + log(1 + exp(−|ℓ|))), sums in float64. args: y 0, s 3, weighted 4, scratch 5, ℓ 6, t 9,
// w 12 if weighted (one weight per row; otherwise w = 1).
// run: one chunk of rows into its partial sum. finish: partial sums in order. No entries: 0.
import { chunkEntries, entryChunks, firstChunkRow, sumPartials } from "./blocks";
import { float, rowAddress, word } from "./kernel";
import { logOnePlusExp4 } from "./exponential";

export function blocks(args: usize): i32 {
  return entryChunks(args, 6);
}

export function scratch(args: usize): i32 {
  return blocks(args) * 8;
}

export function run(args: usize, block: i32): void {
  const row = firstChunkRow(args, 6, block), last = chunkEntries(args, 6, block);
  const logits = rowAddress(args, 6, row), targets = rowAddress(args, 9, row);
  const cols = <i32>word(args, 8);
  let weights = word(args, 4) != 0 ? rowAddress(args, 12, row) : 0;
  let left = cols, w: f64 = weights ? load<f32>(weights) : 1;
  let sum: f64 = 0, sums = f64x2.splat(0);
  for (let i = 0; i < last; i += 4) {
    const at = <usize>i << 2, l = v128.load(logits + at);
    const loss = f32x4.add(
      f32x4.sub(f32x4.max(l, f32x4.splat(0)), f32x4.mul(l, v128.load(targets + at))),
      logOnePlusExp4(l),
    );
    if (!weights && i + 4 <= last) {
      const upper = v128.shuffle<i32>(loss, loss, 2, 3, 2, 3);
      sums = f64x2.add(sums, f64x2.add(f64x2.promote_low_f32x4(loss), f64x2.promote_low_f32x4(upper)));
      continue;
    }
    for (let lane = 0; lane < min(4, last - i); lane++, left--) {
      if (left == 0) {
        if (weights) {
          weights += 4;
          w = load<f32>(weights);
        }
        left = cols;
      }
      sum += w * <f64>laneOf(loss, lane);
    }
  }
  sum += f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
  store<f64>(<usize>word(args, 5) + (<usize>block << 3), sum);
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  store<f32>(word(args, 0), <f32>(<f64>float(args, 3) * sumPartials(word(args, 5), blocks(args))));
}

// @ts-ignore: decorator
@inline
function laneOf(v: v128, lane: i32): f32 {
  if (lane == 0) return f32x4.extract_lane(v, 0);
  if (lane == 1) return f32x4.extract_lane(v, 1);
  return lane == 2 ? f32x4.extract_lane(v, 2) : f32x4.extract_lane(v, 3);
}
