// One Adam step with coupled L2, and the copy of the best parameters, in one pass over p, g, m, v (and best).
// args: β1 0, 1−β1 1, β2 2, 1−β2 3, ε 4, λ 5, scratch 6, p 7, g 10, m 13, v 16, best 19, flag 22, schedule 25.
import { ENTRIES, entries, entryBlocks, float, madd, word } from "./common";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 7);
}

export function run(args: usize, block: i32): void {
  const flag = load<f32>(word(args, 22));
  if (flag < 0) return;
  const begin = <usize>block * (ENTRIES << 2);
  const end = min<usize>(begin + (ENTRIES << 2), <usize>entries(args, 7) << 2);
  const ps = <usize>word(args, 7), gs = <usize>word(args, 10), ms = <usize>word(args, 13), vs = <usize>word(args, 16);
  const best = <usize>word(args, 19), schedule = <usize>word(args, 25);
  if (flag > 0) memory.copy(best + begin, ps + begin, end - begin);
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
