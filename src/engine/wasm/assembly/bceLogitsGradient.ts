// dℓ = s·g·w_i·(sigmoid(ℓ) − t). args: dℓ 0, s 3, weighted 4, scratch 5, ℓ 6, t 9, g 12 (one number), w 15 if weighted (one
// weight per row; otherwise w = 1). One block: SIZE entries. Reads ℓ, t and w, writes dℓ, which may be ℓ.
import { ceilDiv } from "./blocks";
import { entries, float, word } from "./kernel";
import { sigmoid4 } from "./exponential";

/** Entries per block: fewer than ENTRIES, because each takes an exponential. Not tuned. */
const SIZE: i32 = 1024;

export function blocks(args: usize): i32 {
  return ceilDiv(entries(args, 0), SIZE);
}

export function run(args: usize, block: i32): void {
  const begin = block * SIZE, end = min(begin + SIZE, entries(args, 0));
  const out = <usize>word(args, 0), logits = <usize>word(args, 6), targets = <usize>word(args, 9);
  const cols = <i32>word(args, 8), weights = word(args, 4) != 0 ? <usize>word(args, 15) : 0;
  const s = float(args, 3) * load<f32>(word(args, 12));
  for (let i = begin; i < end; i += 4) {
    const at = <usize>i << 2;
    const slope = f32x4.sub(sigmoid4(v128.load(logits + at)), v128.load(targets + at));
    let w = f32x4.splat(s);
    if (weights) {
      w = f32x4.mul(w, v128.load32_splat(weights + (<usize>(i / cols) << 2)));
      if (i / cols != (i + 3) / cols) w = f32x4.mul(f32x4.splat(s), rowWeights(weights, i, cols));
    }
    v128.store(out + at, f32x4.mul(w, slope));
  }
}

/** The weights of entries i … i + 3, which lie in several rows. Past the last row the padding is read. */
function rowWeights(weights: usize, i: i32, cols: i32): v128 {
  let w = v128.load32_splat(weights + (<usize>(i / cols) << 2));
  w = f32x4.replace_lane(w, 1, load<f32>(weights + (<usize>((i + 1) / cols) << 2)));
  w = f32x4.replace_lane(w, 2, load<f32>(weights + (<usize>((i + 2) / cols) << 2)));
  return f32x4.replace_lane(w, 3, load<f32>(weights + (<usize>((i + 3) / cols) << 2)));
}
