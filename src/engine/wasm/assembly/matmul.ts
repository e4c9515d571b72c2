// C = A·B or A·Bᵀ. args: C 0, transposeB 3, scratch 4, A 5, B 8.
// prepare: B into panels of 16 columns, [panel][k][16], zero-padded. run: ROWS rows of C, in tiles of 4 × 16 with the
// whole sum in registers (4 × 16 was the best of twenty shapes tried on Neoverse N1: 49 % of the multiply-add peak on
// Node 20). Each entry is summed over k in ascending order. One column only: inner products, no panels.
import { ROWS, ceilDiv, madd, rowBlocks, word } from "./common";
import { dot } from "./dot";
import { storeRow } from "./store";

const PANEL: i32 = 16;

// @ts-ignore: decorator
@inline
function isColumn(args: usize): bool {
  return word(args, 2) == 1;
}

export function scratch(args: usize): i32 {
  return (isColumn(args) ? 1 : ceilDiv(word(args, 2), PANEL) * PANEL) * <i32>word(args, 7) * 4;
}

export function prepareBlocks(args: usize): i32 {
  return isColumn(args) ? 1 : ceilDiv(word(args, 2), PANEL);
}

export function prepare(args: usize, block: i32): void {
  const k = <usize>word(args, 7), n = <i32>word(args, 2), transposed = word(args, 3) != 0;
  const b = <usize>word(args, 8), stride = (transposed ? 1 : <usize>n) << 2;
  if (isColumn(args)) {
    memory.copy(word(args, 4), b, k << 2);
    return;
  }
  let panel = <usize>word(args, 4) + <usize>block * k * (PANEL << 2);
  const first = block * PANEL, count = min(n - first, PANEL);
  for (let i: usize = 0; i < k; i++, panel += PANEL << 2) {
    for (let j = 0; j < PANEL; j++) {
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
  for (let j = 0; j < n; j += PANEL) {
    const panel = packed + <usize>j * k;
    const count = min(n - j, PANEL);
    let i = first;
    for (; i + 3 < last; i += 4) tile4(a + <usize>i * k, k, panel, c + <usize>i * row + (<usize>j << 2), row, count);
    for (; i < last; i++) tile1(a + <usize>i * k, k, panel, c + <usize>i * row + (<usize>j << 2), count);
  }
}

function tile4(a: usize, k: usize, b: usize, c: usize, row: usize, count: i32): void {
  let a1 = a + k, a2 = a1 + k, a3 = a2 + k;
  const end = a1;
  let x00 = f32x4.splat(0), x01 = f32x4.splat(0), x02 = f32x4.splat(0), x03 = f32x4.splat(0);
  let x10 = f32x4.splat(0), x11 = f32x4.splat(0), x12 = f32x4.splat(0), x13 = f32x4.splat(0);
  let x20 = f32x4.splat(0), x21 = f32x4.splat(0), x22 = f32x4.splat(0), x23 = f32x4.splat(0);
  let x30 = f32x4.splat(0), x31 = f32x4.splat(0), x32 = f32x4.splat(0), x33 = f32x4.splat(0);
  for (; a < end; a += 4, a1 += 4, a2 += 4, a3 += 4, b += PANEL << 2) {
    const b0 = v128.load(b), b1 = v128.load(b, 16), b2 = v128.load(b, 32), b3 = v128.load(b, 48);
    let s = v128.load32_splat(a);
    x00 = madd(s, b0, x00); x01 = madd(s, b1, x01); x02 = madd(s, b2, x02); x03 = madd(s, b3, x03);
    s = v128.load32_splat(a1);
    x10 = madd(s, b0, x10); x11 = madd(s, b1, x11); x12 = madd(s, b2, x12); x13 = madd(s, b3, x13);
    s = v128.load32_splat(a2);
    x20 = madd(s, b0, x20); x21 = madd(s, b1, x21); x22 = madd(s, b2, x22); x23 = madd(s, b3, x23);
    s = v128.load32_splat(a3);
    x30 = madd(s, b0, x30); x31 = madd(s, b1, x31); x32 = madd(s, b2, x32); x33 = madd(s, b3, x33);
  }
  storeRow(c, x00, x01, x02, x03, count);
  storeRow(c + row, x10, x11, x12, x13, count);
  storeRow(c + 2 * row, x20, x21, x22, x23, count);
  storeRow(c + 3 * row, x30, x31, x32, x33, count);
}

function tile1(a: usize, k: usize, b: usize, c: usize, count: i32): void {
  const end = a + k;
  let x0 = f32x4.splat(0), x1 = f32x4.splat(0), x2 = f32x4.splat(0), x3 = f32x4.splat(0);
  for (; a < end; a += 4, b += PANEL << 2) {
    const s = v128.load32_splat(a);
    x0 = madd(s, v128.load(b), x0);
    x1 = madd(s, v128.load(b, 16), x1);
    x2 = madd(s, v128.load(b, 32), x2);
    x3 = madd(s, v128.load(b, 48), x3);
  }
  storeRow(c, x0, x1, x2, x3, count);
}
