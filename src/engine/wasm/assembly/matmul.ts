// C = A·B, or A·Bᵀ. args: C 0, transposeB 3, scratch 4, A 5, B 8.
// prepare: 16 columns of B into a panel: wide panels of 32 columns, [panel][k][32], then panels of 16 for the columns that are
// left, padded with zeros. run: ROWS rows of C, in tiles of 2 × 32 or 4 × 16 with the whole sum in registers. Each entry is
// summed over k in ascending order. If C has one column, it is computed by inner products without panels.
//
// Forty tile shapes were measured on Neoverse N1 (10⁹ multiply-adds per second, of a peak of 20); these two are best on every
// version of Node. 2 × 32 reaches 9.6 on Node 20, 12.9 on 22 and 12.7 on 24, if the factor of a row is loaded first and each
// vector of B just before its use. 4 × 16 reaches 9.5, 12.5 and 12.1, and 11.1 on Node 24 in the other order.
import { ceilDiv, endRow, firstRow, rowBlocks } from "./blocks";
import { dot } from "./dot";
import { rowBytes, word } from "./kernel";
import { PANEL, PANEL_BYTES, packPanel, productTile } from "./panel";
import { storeRow } from "./store";
import { madd } from "./vector";

/** Columns of a wide panel. */
const WIDE: i32 = 2 * PANEL;
/** Bytes of a row of a wide panel. */
const WIDE_BYTES: usize = 2 * PANEL_BYTES;

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
  const b = <usize>word(args, 8), packed = <usize>word(args, 4);
  if (isColumn(args)) {
    memory.copy(packed, b, k << 2);
    return;
  }
  // a block packs 16 columns: half of a wide panel, or a panel of the columns that are left
  const first = block * PANEL, count = min(n - first, PANEL);
  const wide = (first & ~(WIDE - 1)) + WIDE <= n;
  const start = wide ? first & ~(WIDE - 1) : first;
  const panel = packed + (<usize>start * k << 2) + (<usize>(first - start) << 2);
  const across: usize = transposed ? k << 2 : 4, along = transposed ? 4 : <usize>n << 2;
  packPanel(b + <usize>first * across, across, along, k, count, panel, wide ? WIDE_BYTES : PANEL_BYTES);
}

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const k = rowBytes(args, 5), row = rowBytes(args, 0), n = <i32>word(args, 2);
  const first = <i32>firstRow(block), end = <i32>endRow(args, 0, block);
  const a = <usize>word(args, 5), packed = <usize>word(args, 4), c = <usize>word(args, 0);
  if (isColumn(args)) {
    for (let i = first; i < end; i++) store<f32>(c + (<usize>i << 2), dot(a + <usize>i * k, packed, k));
    return;
  }
  let j = 0;
  for (; j + WIDE <= n; j += WIDE) {
    const panel = packed + <usize>j * k, to = c + (<usize>j << 2);
    let i = first;
    for (; i + 1 < end; i += 2) tile2(a + <usize>i * k, k, panel, to + <usize>i * row, row);
    for (; i < end; i++) {
      tile1(a + <usize>i * k, k, panel, WIDE_BYTES, to + <usize>i * row, PANEL);
      tile1(a + <usize>i * k, k, panel + PANEL_BYTES, WIDE_BYTES, to + <usize>i * row + PANEL_BYTES, PANEL);
    }
  }
  for (; j < n; j += PANEL) {
    const panel = packed + <usize>j * k, to = c + (<usize>j << 2), count = min(n - j, PANEL);
    let i = first;
    for (; i + 3 < end; i += 4) productTile(a + <usize>i * k, k, panel, to + <usize>i * row, row, count);
    for (; i < end; i++) tile1(a + <usize>i * k, k, panel, PANEL_BYTES, to + <usize>i * row, count);
  }
}

/** Two rows by the columns of a wide panel; k is the length of a row of A in bytes. */
function tile2(a: usize, k: usize, b: usize, c: usize, row: usize): void {
  let a1 = a + k;
  const end = a1;
  let x00 = f32x4.splat(0), x01 = f32x4.splat(0), x02 = f32x4.splat(0), x03 = f32x4.splat(0);
  let x04 = f32x4.splat(0), x05 = f32x4.splat(0), x06 = f32x4.splat(0), x07 = f32x4.splat(0);
  let x10 = f32x4.splat(0), x11 = f32x4.splat(0), x12 = f32x4.splat(0), x13 = f32x4.splat(0);
  let x14 = f32x4.splat(0), x15 = f32x4.splat(0), x16 = f32x4.splat(0), x17 = f32x4.splat(0);
  for (; a < end; a += 4, a1 += 4, b += WIDE_BYTES) {
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

/** One row by 16 columns of a panel with rows `step` bytes apart. */
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
