// C = Aᵀ·B, A [m, k], B [m, n]. args: C 0, scratch 3, A 4, B 7.
// run: one block = one chunk of rows × STRIP columns of A, into the chunk's partial product, in tiles of 4 × 16
// whose four factors come with one load (11.5·10⁹ multiply-adds a second on Node 20 and Neoverse N1, 9.7 with four loads);
// finish: partial products in chunk order. A tile at the edge reads past the row (lanes are independent and the memory
// ends with slack) and stores what belongs to C only.
import { ceilDiv, chunkRows, madd, word } from "./common";
import { storeRow } from "./store";

/** Columns of A per block: small weights still give both threads work. */
const STRIP: i32 = 32;
/** Most entries of all partial products together: 32 MiB. */
const MAX_PARTIAL: i32 = 1 << 23;
/** Entries per block of the final sum. */
const SUMS: i32 = 2048;

/** Rows per partial product: by the rows, and more when the product is large. */
function rowsPerChunk(args: usize): i32 {
  const m: i32 = word(args, 5);
  const most = max(1, MAX_PARTIAL / max(1, <i32>word(args, 1) * <i32>word(args, 2)));
  return max(chunkRows(m), ceilDiv(m, most));
}

// @ts-ignore: decorator
@inline
function chunks(args: usize): i32 {
  return ceilDiv(word(args, 5), rowsPerChunk(args));
}

// @ts-ignore: decorator
@inline
function strips(args: usize): i32 {
  return ceilDiv(word(args, 6), STRIP);
}

export function blocks(args: usize): i32 {
  return chunks(args) * strips(args);
}

export function scratch(args: usize): i32 {
  return chunks(args) * <i32>word(args, 1) * <i32>word(args, 2) * 4;
}

export function run(args: usize, block: i32): void {
  const m: i32 = word(args, 5), k: i32 = word(args, 6), n: i32 = word(args, 9);
  const size = rowsPerChunk(args), count = strips(args);
  const chunk = block / count, strip = block % count;
  const first = chunk * size, rows = min(size, m - first);
  const a = <usize>word(args, 4) + ((<usize>first * k) << 2), b = <usize>word(args, 7) + ((<usize>first * n) << 2);
  const c = <usize>word(args, 3) + ((<usize>chunk * k * n) << 2);
  const end = min((strip + 1) * STRIP, k);
  for (let j = 0; j < n; j += 16) {
    for (let i = strip * STRIP; i < end; i += 4) {
      tile(a + (<usize>i << 2), k, b + (<usize>j << 2), n, rows, c + ((<usize>i * n + j) << 2), min(4, end - i), min(16, n - j));
    }
  }
}

function tile(a: usize, k: i32, b: usize, n: i32, rows: i32, c: usize, height: i32, width: i32): void {
  const aStep = <usize>k << 2, bStep = <usize>n << 2;
  let x00 = f32x4.splat(0), x01 = f32x4.splat(0), x02 = f32x4.splat(0), x03 = f32x4.splat(0);
  let x10 = f32x4.splat(0), x11 = f32x4.splat(0), x12 = f32x4.splat(0), x13 = f32x4.splat(0);
  let x20 = f32x4.splat(0), x21 = f32x4.splat(0), x22 = f32x4.splat(0), x23 = f32x4.splat(0);
  let x30 = f32x4.splat(0), x31 = f32x4.splat(0), x32 = f32x4.splat(0), x33 = f32x4.splat(0);
  for (let i = 0; i < rows; i++, a += aStep, b += bStep) {
    const v = v128.load(a);
    const s0 = v128.shuffle<i32>(v, v, 0, 0, 0, 0), s1 = v128.shuffle<i32>(v, v, 1, 1, 1, 1);
    const s2 = v128.shuffle<i32>(v, v, 2, 2, 2, 2), s3 = v128.shuffle<i32>(v, v, 3, 3, 3, 3);
    let y = v128.load(b);
    x00 = madd(s0, y, x00); x10 = madd(s1, y, x10); x20 = madd(s2, y, x20); x30 = madd(s3, y, x30);
    y = v128.load(b, 16);
    x01 = madd(s0, y, x01); x11 = madd(s1, y, x11); x21 = madd(s2, y, x21); x31 = madd(s3, y, x31);
    y = v128.load(b, 32);
    x02 = madd(s0, y, x02); x12 = madd(s1, y, x12); x22 = madd(s2, y, x22); x32 = madd(s3, y, x32);
    y = v128.load(b, 48);
    x03 = madd(s0, y, x03); x13 = madd(s1, y, x13); x23 = madd(s2, y, x23); x33 = madd(s3, y, x33);
  }
  const row = <usize>n << 2;
  storeRow(c, x00, x01, x02, x03, width);
  if (height > 1) storeRow(c + row, x10, x11, x12, x13, width);
  if (height > 2) storeRow(c + 2 * row, x20, x21, x22, x23, width);
  if (height > 3) storeRow(c + 3 * row, x30, x31, x32, x33, width);
}

export function finishBlocks(args: usize): i32 {
  return ceilDiv(<i32>word(args, 1) * <i32>word(args, 2), SUMS);
}

export function finish(args: usize, block: i32): void {
  const total = <i32>word(args, 1) * <i32>word(args, 2);
  const begin = block * SUMS, end = min(begin + SUMS, total);
  const c = <usize>word(args, 0), part = <usize>word(args, 3), step = <usize>total << 2;
  const count = chunks(args);
  for (let i = begin; i < end; i++) {
    let sum: f32 = 0;
    let p = part + (<usize>i << 2);
    for (let q = 0; q < count; q++, p += step) sum += load<f32>(p);
    store<f32>(c + (<usize>i << 2), sum);
  }
}
