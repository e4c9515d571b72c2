// z[b, f] = Σ x[left_b]·r[relation_b]·x[right_bf], p[b, f] = ⟨x[left_b], x[right_bf]⟩; 0 where an index is MISSING.
// args: z 0, p 3, scratch 6, x 7, r 10, left 13, relation 16, right 19. One block: ROWS rows of z.
import { MISSING, ROWS, madd, rowBlocks, sumLanes, word } from "./common";

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 9) << 2, ends = <usize>word(args, 2);
  const first = <usize>block * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  const x = <usize>word(args, 7), r = <usize>word(args, 10);
  const left = <usize>word(args, 13), relation = <usize>word(args, 16);
  let at = (first * ends) << 2;
  for (let b = first; b < last; b++) {
    const i = load<u32>(left + (b << 2)), d = load<u32>(relation + (b << 2));
    for (let f: usize = 0; f < ends; f++, at += 4) {
      const j = load<u32>(<usize>word(args, 19) + at), z = <usize>word(args, 0) + at, p = <usize>word(args, 3) + at;
      if (i == MISSING || d == MISSING || j == MISSING) {
        store<f32>(z, 0);
        store<f32>(p, 0);
      } else pair(x + <usize>i * bytes, r + <usize>d * bytes, x + <usize>j * bytes, bytes, z, p);
    }
  }
}

/** Both sums in the order of `dot`. */
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
