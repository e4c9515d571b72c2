// One Adam step with L2 added to the gradient, and the copy of the best parameters, in one pass. The op has the formula.
// args: β1 0, 1−β1 1, β2 2, 1−β2 3, ε 4, λ 5, keeps best 6, scratch 7, p 8, g 11, m 14, v 17, flag 20, schedule 23, best 26.
// One block: ENTRIES entries. Reads p, g, m and v, writes p, m, v and, if the flag is 1, best. Flag below 0: writes nothing.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { float, word } from "./kernel";
import { madd } from "./vector";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 8);
}

export function run(args: usize, block: i32): void {
  const flag = load<f32>(word(args, 20));
  if (flag < 0) return;
  const begin = firstByte(block), end = endByte(args, 8, block);
  const ps = <usize>word(args, 8), gs = <usize>word(args, 11), ms = <usize>word(args, 14), vs = <usize>word(args, 17);
  const schedule = <usize>word(args, 23);
  if (flag > 0 && word(args, 6) != 0) memory.copy(<usize>word(args, 26) + begin, ps + begin, end - begin);
  const beta1 = f32x4.splat(float(args, 0)), rest1 = f32x4.splat(float(args, 1));
  const beta2 = f32x4.splat(float(args, 2)), rest2 = f32x4.splat(float(args, 3));
  const epsilon = f32x4.splat(float(args, 4)), decay = f32x4.splat(float(args, 5));
  const step = f32x4.splat(<f32>(<f64>load<f32>(schedule) / <f64>load<f32>(schedule, 4)));
  const correction2 = f32x4.splat(<f32>(1 / <f64>load<f32>(schedule, 8)));
  for (let i = begin; i < end; i += 16) {
    const p = v128.load(ps + i);
    const g = madd(decay, p, v128.load(gs + i));
    const m = madd(beta1, v128.load(ms + i), f32x4.mul(rest1, g));
    const v = madd(beta2, v128.load(vs + i), f32x4.mul(rest2, f32x4.mul(g, g)));
    v128.store(ms + i, m);
    v128.store(vs + i, v);
    const down = f32x4.add(f32x4.sqrt(f32x4.mul(v, correction2)), epsilon);
    v128.store(ps + i, f32x4.sub(p, f32x4.div(f32x4.mul(step, m), down)));
  }
}
