// Stores a row of a tile with 16 columns, whole or cut off at the edge of a matrix: not a kernel.

/** Stores the first `count` ≤ 16 floats of four vectors. */
// @ts-ignore: decorator
@inline
export function storeRow(c: usize, x0: v128, x1: v128, x2: v128, x3: v128, count: i32): void {
  if (count == 16) {
    v128.store(c, x0);
    v128.store(c, x1, 16);
    v128.store(c, x2, 32);
    v128.store(c, x3, 48);
    return;
  }
  storePart(c, x0, count);
  storePart(c + 16, x1, count - 4);
  storePart(c + 32, x2, count - 8);
  storePart(c + 48, x3, count - 12);
}

function storePart(c: usize, x: v128, count: i32): void {
  if (count >= 4) {
    v128.store(c, x);
    return;
  }
  if (count > 0) store<f32>(c, f32x4.extract_lane(x, 0));
  if (count > 1) store<f32>(c, f32x4.extract_lane(x, 1), 4);
  if (count > 2) store<f32>(c, f32x4.extract_lane(x, 2), 8);
}
