// One step of gradient descent with L2 added to the gradient, and the copy of the best parameters, in one pass. The op has the
// formula. args: μ 0, λ 1, keeps best 2, scratch 3, p 4, g 7, flag 10, schedule 13, then u if μ is not 0, then best if kept.
// One block: ENTRIES entries. Reads p, g and u, writes p, u and, if the flag is 1, best. Flag below 0: writes nothing.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { float, word } from "./kernel";
import { madd } from "./vector";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 4);
}

export function run(args: usize, block: i32): void {
  const flag = load<f32>(word(args, 10));
  if (flag < 0) return;
  const begin = firstByte(block), end = endByte(args, 4, block);
  const ps = <usize>word(args, 4), gs = <usize>word(args, 7), hasMomentum = float(args, 0) != 0;
  const best = hasMomentum ? 19 : 16;
  if (flag > 0 && word(args, 2) != 0) memory.copy(<usize>word(args, best) + begin, ps + begin, end - begin);
  const momentum = f32x4.splat(float(args, 0)), lambda = f32x4.splat(float(args, 1));
  const down = f32x4.splat(-load<f32>(word(args, 13)));
  if (!hasMomentum) {
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
