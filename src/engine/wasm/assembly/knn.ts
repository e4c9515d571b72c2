// The k nearest other rows of x by squared distance, for m query rows. args: indices 0, distances 3, scratch 6, x 7, first 10.
// prepare: x into panels of 16 points, [panel][dim][16], zero-padded. run: ROWS queries against all panels, in tiles of
// 4 × 16 squared differences kept in registers (differences, not norms and products: nothing cancels, and equal rows are
// at distance zero). Each query keeps its k best in its own output rows as a heap with the worst at the root; a tile that
// holds nothing better costs one comparison. At the end the heap is sorted. Rows past the last point stay as they were.
import { ROWS, ceilDiv, madd, rowBlocks, word } from "./common";
import { storeRow } from "./store";

const PANEL: i32 = 16;
/** Bytes of one tile of distances. */
const TILE: i32 = 256;
const NONE: u32 = 0xffffffff;

// @ts-ignore: decorator
@inline
function panelBytes(args: usize): i32 {
  return ceilDiv(word(args, 8), PANEL) * PANEL * <i32>word(args, 9) * 4;
}

export function scratch(args: usize): i32 {
  return panelBytes(args) + blocks(args) * TILE;
}

export function prepareBlocks(args: usize): i32 {
  return ceilDiv(word(args, 8), PANEL);
}

export function prepare(args: usize, block: i32): void {
  const dim = <usize>word(args, 9), first = block * PANEL, count = min(<i32>word(args, 8) - first, PANEL);
  const points = <usize>word(args, 7) + <usize>first * (dim << 2);
  let panel = <usize>word(args, 6) + <usize>block * dim * (PANEL << 2);
  for (let c: usize = 0; c < dim; c++, panel += PANEL << 2) {
    for (let j = 0; j < PANEL; j++) {
      const value: f32 = j < count ? load<f32>(points + ((<usize>j * dim + c) << 2)) : 0;
      store<f32>(panel + (<usize>j << 2), value);
    }
  }
}

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const n = <i32>word(args, 8), dim = <usize>word(args, 9), k = <i32>word(args, 2);
  const offset = load<i32>(word(args, 10));
  const first = block * ROWS, last = min(first + ROWS, min(<i32>word(args, 1), n - offset));
  const x = <usize>word(args, 7), panels = <usize>word(args, 6);
  const tile = panels + panelBytes(args) + <usize>block * TILE;
  const row = <usize>k << 2, indices = <usize>word(args, 0), distances = <usize>word(args, 3);
  for (let e = <usize>max(first, 0) * row; e < <usize>max(last, 0) * row; e += 4) {
    store<f32>(distances + e, f32.MAX_VALUE);
    store<u32>(indices + e, NONE);
  }
  for (let j = 0; j < n; j += PANEL) {
    const panel = panels + <usize>j * (dim << 2), count = min(n - j, PANEL);
    for (let i = first; i < last; i += 4) {
      // past the last query the last one is repeated and its distances left alone
      const rows = min(last - i, 4), top = offset + i;
      const d0 = distances + <usize>i * row;
      const d1 = rows > 1 ? d0 + row : d0, d2 = rows > 2 ? d1 + row : d1, d3 = rows > 3 ? d2 + row : d2;
      const a0 = x + <usize>top * (dim << 2);
      const a1 = rows > 1 ? a0 + (dim << 2) : a0, a2 = rows > 2 ? a1 + (dim << 2) : a1, a3 = rows > 3 ? a2 + (dim << 2) : a2;
      const better = distanceTile(
        a0, a1, a2, a3, dim << 2, panel, tile,
        load<f32>(d0), load<f32>(d1), load<f32>(d2), load<f32>(d3),
      );
      if (!better) continue;
      for (let r = 0; r < rows; r++) {
        if (!(better & (1 << r))) continue;
        const heap = distances + <usize>(i + r) * row, names = indices + <usize>(i + r) * row;
        for (let c = 0; c < count; c++) {
          const d = load<f32>(tile + (<usize>((r << 4) + c) << 2));
          if (d < load<f32>(heap) && j + c != top + r) replaceRoot(heap, names, k, d, j + c);
        }
      }
    }
  }
  for (let i = first; i < last; i++) sortHeap(distances + <usize>i * row, indices + <usize>i * row, k);
}

/** Squared distances of four rows to 16 points, stored; bit r of the result: row r has one below its limit. */
function distanceTile(
  a0: usize, a1: usize, a2: usize, a3: usize, bytes: usize, b: usize, tile: usize, l0: f32, l1: f32, l2: f32, l3: f32,
): i32 {
  const end = a0 + bytes;
  let x00 = f32x4.splat(0), x01 = f32x4.splat(0), x02 = f32x4.splat(0), x03 = f32x4.splat(0);
  let x10 = f32x4.splat(0), x11 = f32x4.splat(0), x12 = f32x4.splat(0), x13 = f32x4.splat(0);
  let x20 = f32x4.splat(0), x21 = f32x4.splat(0), x22 = f32x4.splat(0), x23 = f32x4.splat(0);
  let x30 = f32x4.splat(0), x31 = f32x4.splat(0), x32 = f32x4.splat(0), x33 = f32x4.splat(0);
  for (; a0 < end; a0 += 4, a1 += 4, a2 += 4, a3 += 4, b += PANEL << 2) {
    const b0 = v128.load(b), b1 = v128.load(b, 16), b2 = v128.load(b, 32), b3 = v128.load(b, 48);
    let s = v128.load32_splat(a0);
    let t = f32x4.sub(s, b0); x00 = madd(t, t, x00);
    t = f32x4.sub(s, b1); x01 = madd(t, t, x01);
    t = f32x4.sub(s, b2); x02 = madd(t, t, x02);
    t = f32x4.sub(s, b3); x03 = madd(t, t, x03);
    s = v128.load32_splat(a1);
    t = f32x4.sub(s, b0); x10 = madd(t, t, x10);
    t = f32x4.sub(s, b1); x11 = madd(t, t, x11);
    t = f32x4.sub(s, b2); x12 = madd(t, t, x12);
    t = f32x4.sub(s, b3); x13 = madd(t, t, x13);
    s = v128.load32_splat(a2);
    t = f32x4.sub(s, b0); x20 = madd(t, t, x20);
    t = f32x4.sub(s, b1); x21 = madd(t, t, x21);
    t = f32x4.sub(s, b2); x22 = madd(t, t, x22);
    t = f32x4.sub(s, b3); x23 = madd(t, t, x23);
    s = v128.load32_splat(a3);
    t = f32x4.sub(s, b0); x30 = madd(t, t, x30);
    t = f32x4.sub(s, b1); x31 = madd(t, t, x31);
    t = f32x4.sub(s, b2); x32 = madd(t, t, x32);
    t = f32x4.sub(s, b3); x33 = madd(t, t, x33);
  }
  const better = below(x00, x01, x02, x03, l0) | (below(x10, x11, x12, x13, l1) << 1)
    | (below(x20, x21, x22, x23, l2) << 2) | (below(x30, x31, x32, x33, l3) << 3);
  if (better) {
    storeRow(tile, x00, x01, x02, x03, PANEL);
    storeRow(tile + 64, x10, x11, x12, x13, PANEL);
    storeRow(tile + 128, x20, x21, x22, x23, PANEL);
    storeRow(tile + 192, x30, x31, x32, x33, PANEL);
  }
  return better;
}

// @ts-ignore: decorator
@inline
function below(x0: v128, x1: v128, x2: v128, x3: v128, limit: f32): i32 {
  return <i32>v128.any_true(f32x4.lt(f32x4.min(f32x4.min(x0, x1), f32x4.min(x2, x3)), f32x4.splat(limit)));
}

/** Whether entry a of the heap is worse than (d, index): farther, or as far with a larger index. */
// @ts-ignore: decorator
@inline
function worse(heap: usize, names: usize, a: i32, d: f32, index: u32): bool {
  const other = load<f32>(heap + (<usize>a << 2));
  return other > d || (other == d && load<u32>(names + (<usize>a << 2)) > index);
}

/** Puts (d, index) in the root's place and lets it sink among the first `size` entries. */
function replaceRoot(heap: usize, names: usize, size: i32, d: f32, index: u32): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    const right = child + 1;
    if (right < size && worse(heap, names, right, load<f32>(heap + (<usize>child << 2)), load<u32>(names + (<usize>child << 2)))) {
      child = right;
    }
    if (!worse(heap, names, child, d, index)) break;
    store<f32>(heap + (<usize>at << 2), load<f32>(heap + (<usize>child << 2)));
    store<u32>(names + (<usize>at << 2), load<u32>(names + (<usize>child << 2)));
    at = child;
  }
  store<f32>(heap + (<usize>at << 2), d);
  store<u32>(names + (<usize>at << 2), index);
}

function sortHeap(heap: usize, names: usize, size: i32): void {
  for (let end = size - 1; end > 0; end--) {
    const place = <usize>end << 2;
    const d = load<f32>(heap + place), index = load<u32>(names + place);
    store<f32>(heap + place, load<f32>(heap));
    store<u32>(names + place, load<u32>(names));
    replaceRoot(heap, names, end, d, index);
  }
}
