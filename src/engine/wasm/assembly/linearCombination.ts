// y = Σ_k c_k·x_k, entry by entry, of two or three tensors. args: y 0, scratch 3, c 4 (as many columns as tensors), x_0 7, x_1 10, x_2 13.
// One block: ENTRIES entries. Writes y, which may be x_0.
import { endByte, entryBlocks, firstByte } from "./blocks";
import { word } from "./kernel";
import { madd } from "./vector";

export function blocks(args: usize): i32 {
  return entryBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const begin = firstByte(block), end = endByte(args, 0, block);
  const c = <usize>word(args, 4), count = word(args, 6);
  const y = word(args, 0), a = word(args, 7), b = word(args, 10);
  const s = v128.load32_splat(c), t = v128.load32_splat(c, 4);
  if (count == 2) {
    for (let i = begin; i < end; i += 16) v128.store(y + i, madd(t, v128.load(b + i), f32x4.mul(s, v128.load(a + i))));
    return;
  }
  const d = word(args, 13);
  const u = v128.load32_splat(c, 8);
  for (let i = begin; i < end; i += 16) {
    v128.store(y + i, madd(u, v128.load(d + i), madd(t, v128.load(b + i), f32x4.mul(s, v128.load(a + i)))));
  }
}
