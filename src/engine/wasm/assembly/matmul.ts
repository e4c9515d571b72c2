// C = A·B or A·Bᵀ. args: C 0, transposeB 3, scratch 4, A 5, B 8.
// prepare: B into panels of 32 columns, [panel][k][32]; what is left into panels of 16, zero-padded. run: ROWS rows of C, in
// tiles of 2 × 32 or 4 × 16 with the whole sum in registers. Of forty tiles tried on Neoverse N1 (multiply-adds per
// second, 10⁹, of a peak of 20) these two are best on every version: 2 × 32 reaches 9.6 on Node 20, 12.9 on 22, 12.7 on 24,
// where the factor of a row is loaded first and each vector of B just before its use; 4 × 16 reaches 9.5, 12.5, 12.1, and
// 11.1 on Node 24 in the other order. Each entry is summed over k in ascending order. One column only: inner products, no
// panels.
import { ROWS, ceilDiv, madd, rowBlocks, word } from "./common";
import { dot } from "./dot";
import { storeRow } from "./store";

const PANEL: i32 = 32;
/** Columns of a panel of the rest. */
const HALF: i32 = 16;

// @ts-ignore: decorator
@inline
function isColumn(args: usize): bool {
  return word(args, 2) == 1;
}

export function scratch(args: usize): i32 {
  return (isColumn(args) ? 1 : ceilDiv(word(args, 2), HALF) * HALF) * <i32>word(args, 7) * 4;
}

export function prepareBlocks(args: usize): i32 {
  return isColumn(args) ? 1 : ceilDiv(word(args, 2), HALF);
}

export function prepare(args: usize, block: i32): void {
  const k = <usize>word(args, 7), n = <i32>word(args, 2), transposed = word(args, 3) != 0;
  const b = <usize>word(args, 8), stride = (transposed ? 1 : <usize>n) << 2;
  if (isColumn(args)) {
    memory.copy(word(args, 4), b, k << 2);
    return;
  }
  // a block packs 16 columns: half of a panel, or a panel of the rest
  const first = block * HALF, count = min(n - first, HALF);
  const wide = (first & ~(PANEL - 1)) + PANEL <= n;
  const start = wide ? first & ~(PANEL - 1) : first, step = <usize>(wide ? PANEL : HALF) << 2;
  let panel = <usize>word(args, 4) + (<usize>start * k << 2) + (<usize>(first - start) << 2);
  for (let i: usize = 0; i < k; i++, panel += step) {
    for (let j = 0; j < HALF; j++) {
      const column = <usize>(first + j) * (transposed ? k : 1);
      const value: f32 = j < count ? load<f32>(b + (column << 2) + i * stride) : 0;
      store<f32>(panel + (<usize>j << 2), value);
    }
  }
}

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const k = <usize>word(args, 7) << 2, n = <i32>word(args, 2);
  const first = block * ROWS, last = min(first + ROWS, <i32>word(args, 1));
  const a = <usize>word(args, 5), packed = <usize>word(args, 4), c = <usize>word(args, 0);
  if (isColumn(args)) {
    for (let i = first; i < last; i++) store<f32>(c + (<usize>i << 2), dot(a + <usize>i * k, packed, k));
    return;
  }
  const row = <usize>n << 2;
  let j = 0;
  for (; j + PANEL <= n; j += PANEL) {
    const panel = packed + <usize>j * k, to = c + (<usize>j << 2);
    let i = first;
    for (; i + 1 < last; i += 2) tile2(a + <usize>i * k, k, panel, to + <usize>i * row, row);
    for (; i < last; i++) {
      tile1(a + <usize>i * k, k, panel, PANEL << 2, to + <usize>i * row, HALF);
      tile1(a + <usize>i * k, k, panel + (HALF << 2), PANEL << 2, to + <usize>i * row + (HALF << 2), HALF);
    }
  }
  for (; j < n; j += HALF) {
    const panel = packed + <usize>j * k, to = c + (<usize>j << 2), count = min(n - j, HALF);
    let i = first;
    for (; i + 3 < last; i += 4) tile4(a + <usize>i * k, k, panel, to + <usize>i * row, row, count);
    for (; i < last; i++) tile1(a + <usize>i * k, k, panel, HALF << 2, to + <usize>i * row, count);
  }
}

function tile2(a: usize, k: usize, b: usize, c: usize, row: usize): void {
  let a1 = a + k;
  const end = a1;
  let x00 = f32x4.splat(0), x01 = f32x4.splat(0), x02 = f32x4.splat(0), x03 = f32x4.splat(0);
  let x04 = f32x4.splat(0), x05 = f32x4.splat(0), x06 = f32x4.splat(0), x07 = f32x4.splat(0);
  let x10 = f32x4.splat(0), x11 = f32x4.splat(0), x12 = f32x4.splat(0), x13 = f32x4.splat(0);
  let x14 = f32x4.splat(0), x15 = f32x4.splat(0), x16 = f32x4.splat(0), x17 = f32x4.splat(0);
  for (; a < end; a += 4, a1 += 4, b += PANEL << 2) {
    const s0 = v128.load32_splat(a), s1 = v128.load32_splat(a1);
    let y = v128.load(b);
    x00 = madd(s0, y, x00); x10 = madd(s1, y, x10);
    y = v128.load(b, 16);
    x01 = madd(s0, y, x01); x11 = madd(s1, y, x11);
    y = v128.load(b, 32);
    x02 = madd(s0, y, x02); x12 = madd(s1, y, x12);
    y = v128.load(b, 48);
    x03 = madd(s0, y, x03); x13 = madd(s1, y, x13);
    y = v128.load(b, 64);
    x04 = madd(s0, y, x04); x14 = madd(s1, y, x14);
    y = v128.load(b, 80);
    x05 = madd(s0, y, x05); x15 = madd(s1, y, x15);
    y = v128.load(b, 96);
    x06 = madd(s0, y, x06); x16 = madd(s1, y, x16);
    y = v128.load(b, 112);
    x07 = madd(s0, y, x07); x17 = madd(s1, y, x17);
  }
  v128.store(c, x00, 0); v128.store(c + row, x10, 0);
  v128.store(c, x01, 16); v128.store(c + row, x11, 16);
  v128.store(c, x02, 32); v128.store(c + row, x12, 32);
  v128.store(c, x03, 48); v128.store(c + row, x13, 48);
  v128.store(c, x04, 64); v128.store(c + row, x14, 64);
  v128.store(c, x05, 80); v128.store(c + row, x15, 80);
  v128.store(c, x06, 96); v128.store(c + row, x16, 96);
  v128.store(c, x07, 112); v128.store(c + row, x17, 112);
}

function tile4(a: usize, k: usize, b: usize, c: usize, row: usize, count: i32): void {
  let a1 = a + k, a2 = a1 + k, a3 = a2 + k;
  const end = a1;
  let x00 = f32x4.splat(0), x01 = f32x4.splat(0), x02 = f32x4.splat(0), x03 = f32x4.splat(0);
  let x10 = f32x4.splat(0), x11 = f32x4.splat(0), x12 = f32x4.splat(0), x13 = f32x4.splat(0);
  let x20 = f32x4.splat(0), x21 = f32x4.splat(0), x22 = f32x4.splat(0), x23 = f32x4.splat(0);
  let x30 = f32x4.splat(0), x31 = f32x4.splat(0), x32 = f32x4.splat(0), x33 = f32x4.splat(0);
  for (; a < end; a += 4, a1 += 4, a2 += 4, a3 += 4, b += HALF << 2) {
    const s0 = v128.load32_splat(a), s1 = v128.load32_splat(a1), s2 = v128.load32_splat(a2), s3 = v128.load32_splat(a3);
    let y = v128.load(b);
    x00 = madd(s0, y, x00); x10 = madd(s1, y, x10); x20 = madd(s2, y, x20); x30 = madd(s3, y, x30);
    y = v128.load(b, 16);
    x01 = madd(s0, y, x01); x11 = madd(s1, y, x11); x21 = madd(s2, y, x21); x31 = madd(s3, y, x31);
    y = v128.load(b, 32);
    x02 = madd(s0, y, x02); x12 = madd(s1, y, x12); x22 = madd(s2, y, x22); x32 = madd(s3, y, x32);
    y = v128.load(b, 48);
    x03 = madd(s0, y, x03); x13 = madd(s1, y, x13); x23 = madd(s2, y, x23); x33 = madd(s3, y, x33);
  }
  storeRow(c, x00, x01, x02, x03, count);
  storeRow(c + row, x10, x11, x12, x13, count);
  storeRow(c + 2 * row, x20, x21, x22, x23, count);
  storeRow(c + 3 * row, x30, x31, x32, x33, count);
}

function tile1(a: usize, k: usize, b: usize, step: usize, c: usize, count: i32): void {
  const end = a + k;
  let x0 = f32x4.splat(0), x1 = f32x4.splat(0), x2 = f32x4.splat(0), x3 = f32x4.splat(0);
  for (; a < end; a += 4, b += step) {
    const s = v128.load32_splat(a);
    x0 = madd(s, v128.load(b), x0);
    x1 = madd(s, v128.load(b, 16), x1);
    x2 = madd(s, v128.load(b, 32), x2);
    x3 = madd(s, v128.load(b, 48), x3);
  }
  storeRow(c, x0, x1, x2, x3, count);
}
