// dx = g·f′ from the result y: sigmoid y(1−y), tanh 1−y², inverse square root −y³/2, exponential y.
// args: dx 0, f 3, scratch 4, g 5, y 8. dx may be g.
import { ENTRIES, entries, entryBlocks, word } from "./common";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = <usize>block * (ENTRIES << 2);
  const end = min<usize>(begin + (ENTRIES << 2), <usize>entries(args, 0) << 2);
  const kind = word(args, 3);
  const dx = <usize>word(args, 0), gs = <usize>word(args, 5), ys = <usize>word(args, 8);
  const one = f32x4.splat(1), minusHalf = f32x4.splat(-0.5);
  for (let i = begin; i < end; i += 16) {
    const y = v128.load(ys + i);
    let d: v128;
    if (kind == 0) d = f32x4.mul(y, f32x4.sub(one, y));
    else if (kind == 1) d = f32x4.sub(one, f32x4.mul(y, y));
    else if (kind == 2) d = f32x4.mul(minusHalf, f32x4.mul(y, f32x4.mul(y, y)));
    else d = y;
    v128.store(dx + i, f32x4.mul(v128.load(gs + i), d));
  }
}
