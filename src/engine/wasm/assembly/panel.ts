// Panels of 16 columns, and the tile of 4 rows × 16 columns that reads them: not a kernel.
//
// A panel holds 16 columns side by side, [k][16], so that the sums of a tile stay in sixteen vectors. Every sum runs over k in
// ascending order.
import { storeRow } from "./store";
import { madd } from "./vector";

/** Columns of a panel. */
export const PANEL: i32 = 16;
/** Bytes of a row of a panel. */
export const PANEL_BYTES: usize = 64;
/** Bytes of a stored tile. */
export const PANEL_TILE_BYTES: i32 = 256;

/**
 * Copies `count` ≤ 16 columns of k numbers into a panel, padded with zeros. In bytes: `across` from column to column, `along`
 * from number to number of a column, `step` from row to row of the panel.
 */
// @ts-ignore: decorator
@inline
export function packPanel(from: usize, across: usize, along: usize, k: usize, count: i32, to: usize, step: usize): void {
  for (let i: usize = 0; i < k; i++, from += along, to += step) {
    for (let j = 0; j < PANEL; j++) {
      const value: f32 = j < count ? load<f32>(from + <usize>j * across) : 0;
      store<f32>(to + (<usize>j << 2), value);
    }
  }
}

/** Inner products of four rows of `bytes` with the columns of a panel; the first `count` are stored at c, rows `row` apart. */
export function productTile(a: usize, bytes: usize, panel: usize, c: usize, row: usize, count: i32): void {
  tile(false, false, a, a + bytes, a + 2 * bytes, a + 3 * bytes, bytes, panel, c, row, count, 0, 0, 0, 0);
}

/** Inner products of four rows with the columns of a panel. Bit r of the result: row r has one ≥ its limit. Stored if any has. */
export function scoreTile(
  a0: usize, a1: usize, a2: usize, a3: usize, bytes: usize, panel: usize, c: usize, l0: f32, l1: f32, l2: f32, l3: f32,
): i32 {
  return tile(false, true, a0, a1, a2, a3, bytes, panel, c, PANEL_BYTES, PANEL, l0, l1, l2, l3);
}

/** Squared distances of four rows to the columns of a panel. Bit r of the result: row r has one < its limit. Stored if any has. */
export function distanceTile(
  a0: usize, a1: usize, a2: usize, a3: usize, bytes: usize, panel: usize, c: usize, l0: f32, l1: f32, l2: f32, l3: f32,
): i32 {
  return tile(true, true, a0, a1, a2, a3, bytes, panel, c, PANEL_BYTES, PANEL, l0, l1, l2, l3);
}

/** x + s·y, or x + (s − y)². */
// @ts-ignore: decorator
@inline
function addTerm(distance: bool, s: v128, y: v128, x: v128): v128 {
  if (!distance) return madd(s, y, x);
  const difference = f32x4.sub(s, y);
  return madd(difference, difference, x);
}

/** Whether one of 16 sums is below the limit (distances), or at or above it (products). */
// @ts-ignore: decorator
@inline
function reaches(distance: bool, x0: v128, x1: v128, x2: v128, x3: v128, limit: f32): i32 {
  if (distance) return <i32>v128.any_true(f32x4.lt(f32x4.min(f32x4.min(x0, x1), f32x4.min(x2, x3)), f32x4.splat(limit)));
  return <i32>v128.any_true(f32x4.ge(f32x4.max(f32x4.max(x0, x1), f32x4.max(x2, x3)), f32x4.splat(limit)));
}

// @ts-ignore: decorator
@inline
function tile(
  distance: bool, limited: bool, a0: usize, a1: usize, a2: usize, a3: usize, bytes: usize, b: usize, c: usize, row: usize,
  count: i32, l0: f32, l1: f32, l2: f32, l3: f32,
): i32 {
  const end = a0 + bytes;
  let x00 = f32x4.splat(0), x01 = f32x4.splat(0), x02 = f32x4.splat(0), x03 = f32x4.splat(0);
  let x10 = f32x4.splat(0), x11 = f32x4.splat(0), x12 = f32x4.splat(0), x13 = f32x4.splat(0);
  let x20 = f32x4.splat(0), x21 = f32x4.splat(0), x22 = f32x4.splat(0), x23 = f32x4.splat(0);
  let x30 = f32x4.splat(0), x31 = f32x4.splat(0), x32 = f32x4.splat(0), x33 = f32x4.splat(0);
  for (; a0 < end; a0 += 4, a1 += 4, a2 += 4, a3 += 4, b += PANEL_BYTES) {
    const s0 = v128.load32_splat(a0), s1 = v128.load32_splat(a1), s2 = v128.load32_splat(a2), s3 = v128.load32_splat(a3);
    let y = v128.load(b);
    x00 = addTerm(distance, s0, y, x00); x10 = addTerm(distance, s1, y, x10);
    x20 = addTerm(distance, s2, y, x20); x30 = addTerm(distance, s3, y, x30);
    y = v128.load(b, 16);
    x01 = addTerm(distance, s0, y, x01); x11 = addTerm(distance, s1, y, x11);
    x21 = addTerm(distance, s2, y, x21); x31 = addTerm(distance, s3, y, x31);
    y = v128.load(b, 32);
    x02 = addTerm(distance, s0, y, x02); x12 = addTerm(distance, s1, y, x12);
    x22 = addTerm(distance, s2, y, x22); x32 = addTerm(distance, s3, y, x32);
    y = v128.load(b, 48);
    x03 = addTerm(distance, s0, y, x03); x13 = addTerm(distance, s1, y, x13);
    x23 = addTerm(distance, s2, y, x23); x33 = addTerm(distance, s3, y, x33);
  }
  let reached = 0;
  if (limited) {
    reached = reaches(distance, x00, x01, x02, x03, l0) | (reaches(distance, x10, x11, x12, x13, l1) << 1)
      | (reaches(distance, x20, x21, x22, x23, l2) << 2) | (reaches(distance, x30, x31, x32, x33, l3) << 3);
    if (!reached) return 0;
  }
  storeRow(c, x00, x01, x02, x03, count);
  storeRow(c + row, x10, x11, x12, x13, count);
  storeRow(c + 2 * row, x20, x21, x22, x23, count);
  storeRow(c + 3 * row, x30, x31, x32, x33, count);
  return reached;
}
