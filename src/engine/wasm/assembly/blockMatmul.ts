// y[b] = x[b]·W_g, or x[b]·W_gᵀ, where g is the block of row b; the op has the blocks. args: y 0, transposed 3, scratch 4, x 5,
// w 8, start 11. prepare, one matrix: W_g or W_gᵀ into scratch, with rows padded to a multiple of four columns. run: ROWS
// rows, four at a time; at the end of a block with fewer rows the last one is computed more than once. The matrices are small
// and stay in the first-level cache while the rows are read once.
import { endRow, firstRow, rowBlocks } from "./blocks";
import { word } from "./kernel";
import { madd } from "./vector";

/** Bytes of a row of scratch. */
// @ts-ignore: decorator
@inline
function paddedBytes(args: usize): usize {
  return ((<usize>word(args, 2) + 3) & ~3) << 2;
}

// @ts-ignore: decorator
@inline
function matrixBytes(args: usize): usize {
  return paddedBytes(args) * <usize>word(args, 7);
}

export function prepareBlocks(args: usize): i32 {
  return <i32>word(args, 12) - 1;
}

export function scratch(args: usize): i32 {
  return <i32>matrixBytes(args) * prepareBlocks(args);
}

export function prepare(args: usize, g: i32): void {
  const out = <usize>word(args, 2), inner = <usize>word(args, 7), transposed = word(args, 3) != 0;
  const w = <usize>word(args, 8) + ((<usize>g * out * inner) << 2);
  let to = <usize>word(args, 4) + <usize>g * matrixBytes(args);
  for (let k: usize = 0; k < inner; k++, to += paddedBytes(args)) {
    memory.fill(to, 0, paddedBytes(args));
    for (let j: usize = 0; j < out; j++) {
      store<f32>(to + (j << 2), load<f32>(w + ((transposed ? j * inner + k : k * out + j) << 2)));
    }
  }
}

export function blocks(args: usize): i32 {
  return rowBlocks(args, 0);
}

export function run(args: usize, block: i32): void {
  const out = <usize>word(args, 2) << 2, inner = <usize>word(args, 7) << 2;
  const last = <u32>endRow(args, 0, block), ys = <usize>word(args, 0), xs = <usize>word(args, 5);
  let end = <usize>word(args, 11) + 4, w = <usize>word(args, 4), b = <u32>firstRow(block);
  while (b < last) {
    for (; load<u32>(end) <= b; end += 4) w += matrixBytes(args);
    const next = min(min(b + 4, last), load<u32>(end)), lastRow = next - b - 1;
    const x = xs + <usize>b * inner, y = ys + <usize>b * out;
    const i1 = <usize>min<u32>(1, lastRow), i2 = <usize>min<u32>(2, lastRow), i3 = <usize>lastRow;
    let j: usize = 0;
    for (; j + 32 <= out; j += 32) {
      wide(x, x + i1 * inner, x + i2 * inner, x + i3 * inner, inner, w + j, paddedBytes(args), y + j, i1 * out, i2 * out, i3 * out);
    }
    for (; j < out; j += 16) {
      narrow(x, x + i1 * inner, x + i2 * inner, x + i3 * inner, inner, w + j, paddedBytes(args), y + j, i1 * out, i2 * out, i3 * out, out - j);
    }
    b = next;
  }
}

/** Eight columns of four rows. */
// @ts-ignore: decorator
@inline
function wide(
  x0: usize, x1: usize, x2: usize, x3: usize, inner: usize, w: usize, step: usize, y: usize, y1: usize, y2: usize, y3: usize,
): void {
  let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
  for (let k: usize = 0; k < inner; k += 4, w += step) {
    const u = v128.load(w), v = v128.load(w, 16);
    const a = v128.load32_splat(x0 + k), b = v128.load32_splat(x1 + k);
    const c = v128.load32_splat(x2 + k), d = v128.load32_splat(x3 + k);
    a0 = madd(a, u, a0);
    a1 = madd(a, v, a1);
    b0 = madd(b, u, b0);
    b1 = madd(b, v, b1);
    c0 = madd(c, u, c0);
    c1 = madd(c, v, c1);
    d0 = madd(d, u, d0);
    d1 = madd(d, v, d1);
  }
  v128.store(y, a0);
  v128.store(y, a1, 16);
  v128.store(y + y1, b0);
  v128.store(y + y1, b1, 16);
  v128.store(y + y2, c0);
  v128.store(y + y2, c1, 16);
  v128.store(y + y3, d0);
  v128.store(y + y3, d1, 16);
}

/** Four columns of four rows; the first `left` bytes of each row are stored. */
// @ts-ignore: decorator
@inline
function narrow(
  x0: usize, x1: usize, x2: usize, x3: usize, inner: usize, w: usize, step: usize, y: usize, y1: usize, y2: usize, y3: usize,
  left: usize,
): void {
  let a = f32x4.splat(0), b = a, c = a, d = a;
  for (let k: usize = 0; k < inner; k += 4, w += step) {
    const u = v128.load(w);
    a = madd(v128.load32_splat(x0 + k), u, a);
    b = madd(v128.load32_splat(x1 + k), u, b);
    c = madd(v128.load32_splat(x2 + k), u, c);
    d = madd(v128.load32_splat(x3 + k), u, d);
  }
  storePart(y, a, left);
  storePart(y + y1, b, left);
  storePart(y + y2, c, left);
  storePart(y + y3, d, left);
}

// @ts-ignore: decorator
@inline
function storePart(y: usize, v: v128, left: usize): void {
  if (left >= 16) {
    v128.store(y, v);
    return;
  }
  v128.store32_lane(y, v, 0);
  if (left > 4) v128.store32_lane(y, v, 1, 4);
  if (left > 8) v128.store32_lane(y, v, 2, 8);
}
