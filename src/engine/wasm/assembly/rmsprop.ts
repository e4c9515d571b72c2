// One RMSProp step with L2 added to the gradient, and the copy of the best parameters, in one pass. The op has the formula.
// args: ρ 0, 1−ρ 1, ε 2, λ 3, keeps best 4, scratch 5, p 6, g 9, v 12, flag 15, schedule 18, best 21.
// One block: ENTRIES entries. Reads p, g and v, writes p, v and, if the flag is 1, best. Flag below 0: writes nothing.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { float, word } from "./kernel";
import { madd } from "./vector";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 6);
}

export function run(args: usize, block: i32): void {
  const flag = load<f32>(word(args, 15));
  if (flag < 0) return;
  const begin = firstByte(block), end = endByte(args, 6, block);
  const ps = <usize>word(args, 6), gs = <usize>word(args, 9), vs = <usize>word(args, 12);
  if (flag > 0 && word(args, 4) != 0) memory.copy(<usize>word(args, 21) + begin, ps + begin, end - begin);
  const decay = f32x4.splat(float(args, 0)), rest = f32x4.splat(float(args, 1));
  const epsilon = f32x4.splat(float(args, 2)), lambda = f32x4.splat(float(args, 3));
  const rate = f32x4.splat(load<f32>(word(args, 18)));
  for (let i = begin; i < end; i += 16) {
    const p = v128.load(ps + i);
    const g = madd(lambda, p, v128.load(gs + i));
    const v = madd(decay, v128.load(vs + i), f32x4.mul(rest, f32x4.mul(g, g)));
    v128.store(vs + i, v);
    v128.store(ps + i, f32x4.sub(p, f32x4.div(f32x4.mul(rate, g), f32x4.sqrt(f32x4.add(v, epsilon)))));
  }
}
