// z[b, f] = Σ_k x[left_b, k]·r[relation_b, k]·x[right_bf, k] and p[b, f] = ⟨x[left_b], x[right_bf]⟩; 0 where an index is MISSING.
// args: z 0, p 3, scratch 6, x 7, r 10, left 13, relation 16, right 19. One block: ROWS rows of z and p.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { MISSING, rowBytes, word } from "./kernel";
import { madd, sumLanes } from "./vector";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = rowBytes(args, 7), cols = <usize>word(args, 2);
  const first = firstRow(block), end = endRow(args, 0, block);
  const x = <usize>word(args, 7), r = <usize>word(args, 10);
  const left = <usize>word(args, 13), relation = <usize>word(args, 16);
  let at = (first * cols) << 2;
  for (let b = first; b < end; b++) {
    const i = load<u32>(left + (b << 2)), d = load<u32>(relation + (b << 2));
    for (let f: usize = 0; f < cols; f++, at += 4) {
      const j = load<u32>(<usize>word(args, 19) + at), z = <usize>word(args, 0) + at, p = <usize>word(args, 3) + at;
      if (i == MISSING || d == MISSING || j == MISSING) {
        store<f32>(z, 0);
        store<f32>(p, 0);
      } else pair(x + <usize>i * bytes, r + <usize>d * bytes, x + <usize>j * bytes, bytes, z, p);
    }
  }
}

/** Both sums of one pair, added in the order of `dot`. */
// @ts-ignore: decorator
@inline
function pair(a: usize, r: usize, c: usize, bytes: usize, z: usize, p: usize): void {
  let s0 = f32x4.splat(0), s1 = f32x4.splat(0), t0 = f32x4.splat(0), t1 = f32x4.splat(0);
  let k: usize = 0;
  const pairs = bytes & ~31;
  for (; k < pairs; k += 32) {
    const u = v128.load(a + k), v = v128.load(a + k, 16), y = v128.load(c + k), w = v128.load(c + k, 16);
    s0 = madd(f32x4.mul(u, v128.load(r + k)), y, s0);
    s1 = madd(f32x4.mul(v, v128.load(r + k, 16)), w, s1);
    t0 = madd(u, y, t0);
    t1 = madd(v, w, t1);
  }
  let weighted = sumLanes(f32x4.add(s0, s1)), plain = sumLanes(f32x4.add(t0, t1));
  for (; k < bytes; k += 4) {
    const u = load<f32>(a + k), y = load<f32>(c + k);
    weighted += u * load<f32>(r + k) * y;
    plain += u * y;
  }
  store<f32>(z, weighted);
  store<f32>(p, plain);
}
