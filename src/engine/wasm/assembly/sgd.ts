// One step of gradient descent with coupled L2, and the copy of the best parameters, in one pass over p, g (u, best).
// args: μ 0, λ 1, keeps best 2, scratch 3, p 4, g 7, flag 10, schedule 13, then u if μ is not 0, then best if kept.
import { ENTRIES, entries, entryBlocks, float, madd, word } from "./common";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 4);
}

export function run(args: usize, block: i32): void {
  const flag = load<f32>(word(args, 10));
  if (flag < 0) return;
  const begin = <usize>block * (ENTRIES << 2);
  const end = min<usize>(begin + (ENTRIES << 2), <usize>entries(args, 4) << 2);
  const ps = <usize>word(args, 4), gs = <usize>word(args, 7), moves = float(args, 0) != 0;
  const best = moves ? 19 : 16;
  if (flag > 0 && word(args, 2) != 0) memory.copy(<usize>word(args, best) + begin, ps + begin, end - begin);
  const momentum = f32x4.splat(float(args, 0)), lambda = f32x4.splat(float(args, 1));
  const down = f32x4.splat(-load<f32>(word(args, 13)));
  if (!moves) {
    for (let i = begin; i < end; i += 16) {
      const p = v128.load(ps + i);
      v128.store(ps + i, madd(down, madd(lambda, p, v128.load(gs + i)), p));
    }
    return;
  }
  const us = <usize>word(args, 16);
  for (let i = begin; i < end; i += 16) {
    const p = v128.load(ps + i);
    const u = madd(momentum, v128.load(us + i), madd(lambda, p, v128.load(gs + i)));
    v128.store(us + i, u);
    v128.store(ps + i, madd(down, u, p));
  }
}
