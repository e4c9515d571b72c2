// C = Aᵀ·B, A [m, k], B [m, n]. args: C 0, scratch 3, A 4, B 7.
// run: one chunk of rows × STRIP columns of A, into the chunk's partial product. finish: partial products in chunk order. No
// rows: zeros. A chunk is computed PASS rows at a time, which stay in the first-level cache while all tiles use them; a tile
// continues from the sums of the passes before, so rows are added in ascending order. Tiles are 2 × 32, then 4 × 16 for the
// columns that are left; the factors of a tile come with one load.
//
// A tile at the edge reads past the row (lanes are independent and the memory ends with slack), takes the sums of its first row
// for rows that do not exist, and stores only entries of C.
import { ceilDiv, chunkRows } from "./blocks";
import { word } from "./kernel";
import { madd } from "./vector";
import { storeRow } from "./store";

/** Columns of A per block: small enough that a small C gives work to two threads. */
const STRIP: i32 = 32;
/** Columns of B of a wide tile. */
const WIDE: i32 = 32;
/**
 * Rows of a pass. Neoverse N1, 10⁹ multiply-adds per second of a peak of 20, without bounds checks, on Node 20 and 24: tiles of
 * 2 × 32 reach 12.3 and 12.3 in passes of 128 rows, 11.2 and 12.0 in passes of 256; tiles of 4 × 16 reach 10.8 and 11.3.
 */
const PASS: i32 = 128;
/** Largest number of entries of all partial products together: 32 MiB. */
const MAX_PARTIAL: i32 = 1 << 23;
/** Entries per block of the final sum. Not tuned. */
const SUMS: i32 = 2048;

/** Rows per partial product: as for other reductions, and more if the product is large. */
function rowsPerChunk(args: usize): i32 {
  return chunkRows(word(args, 5), max(1, MAX_PARTIAL / max(1, <i32>word(args, 1) * <i32>word(args, 2))));
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
  const first = chunk * size, last = min(first + size, m);
  const c = <usize>word(args, 3) + ((<usize>chunk * k * n) << 2);
  const begin = strip * STRIP, end = min(begin + STRIP, k);
  for (let row = first; row < last; row += PASS) {
    const a = <usize>word(args, 4) + ((<usize>row * k) << 2), b = <usize>word(args, 7) + ((<usize>row * n) << 2);
    const rows = min(PASS, last - row), resume = row > first;
    let j = 0;
    for (; j + WIDE <= n; j += WIDE) {
      for (let i = begin; i < end; i += 2) {
        tile2(a + (<usize>i << 2), k, b + (<usize>j << 2), n, rows, c + ((<usize>i * n + j) << 2), min(2, end - i), resume);
      }
    }
    for (; j < n; j += 16) {
      for (let i = begin; i < end; i += 4) {
        const to = c + ((<usize>i * n + j) << 2);
        tile4(a + (<usize>i << 2), k, b + (<usize>j << 2), n, rows, to, min(4, end - i), min(16, n - j), resume);
      }
    }
  }
}

/** Four floats of the sums so far; zeros in the first pass. */
// @ts-ignore: decorator
@inline
function sumsSoFar(resume: bool, c: usize): v128 {
  return resume ? v128.load(c) : f32x4.splat(0);
}

function tile2(a: usize, k: i32, b: usize, n: i32, rows: i32, c: usize, height: i32, resume: bool): void {
  const aStep = <usize>k << 2, bStep = <usize>n << 2, d = height > 1 ? c + bStep : c;
  let x00 = sumsSoFar(resume, c), x01 = sumsSoFar(resume, c + 16), x02 = sumsSoFar(resume, c + 32), x03 = sumsSoFar(resume, c + 48);
  let x04 = sumsSoFar(resume, c + 64), x05 = sumsSoFar(resume, c + 80), x06 = sumsSoFar(resume, c + 96), x07 = sumsSoFar(resume, c + 112);
  let x10 = sumsSoFar(resume, d), x11 = sumsSoFar(resume, d + 16), x12 = sumsSoFar(resume, d + 32), x13 = sumsSoFar(resume, d + 48);
  let x14 = sumsSoFar(resume, d + 64), x15 = sumsSoFar(resume, d + 80), x16 = sumsSoFar(resume, d + 96), x17 = sumsSoFar(resume, d + 112);
  for (let i = 0; i < rows; i++, a += aStep, b += bStep) {
    const v = v128.load64_zero(a);
    const s0 = v128.shuffle<i32>(v, v, 0, 0, 0, 0), s1 = v128.shuffle<i32>(v, v, 1, 1, 1, 1);
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
  storeRow(c, x00, x01, x02, x03, 16);
  storeRow(c + 64, x04, x05, x06, x07, 16);
  if (height < 2) return;
  storeRow(d, x10, x11, x12, x13, 16);
  storeRow(d + 64, x14, x15, x16, x17, 16);
}

function tile4(a: usize, k: i32, b: usize, n: i32, rows: i32, c: usize, height: i32, width: i32, resume: bool): void {
  const aStep = <usize>k << 2, bStep = <usize>n << 2;
  const d = height > 1 ? c + bStep : c, e = height > 2 ? d + bStep : c, f = height > 3 ? e + bStep : c;
  let x00 = sumsSoFar(resume, c), x01 = sumsSoFar(resume, c + 16), x02 = sumsSoFar(resume, c + 32), x03 = sumsSoFar(resume, c + 48);
  let x10 = sumsSoFar(resume, d), x11 = sumsSoFar(resume, d + 16), x12 = sumsSoFar(resume, d + 32), x13 = sumsSoFar(resume, d + 48);
  let x20 = sumsSoFar(resume, e), x21 = sumsSoFar(resume, e + 16), x22 = sumsSoFar(resume, e + 32), x23 = sumsSoFar(resume, e + 48);
  let x30 = sumsSoFar(resume, f), x31 = sumsSoFar(resume, f + 16), x32 = sumsSoFar(resume, f + 32), x33 = sumsSoFar(resume, f + 48);
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
  storeRow(c, x00, x01, x02, x03, width);
  if (height > 1) storeRow(d, x10, x11, x12, x13, width);
  if (height > 2) storeRow(e, x20, x21, x22, x23, width);
  if (height > 3) storeRow(f, x30, x31, x32, x33, width);
}

export function finishBlocks(args: usize): i32 {
  return ceilDiv(<i32>word(args, 1) * <i32>word(args, 2), SUMS);
}

export function finish(args: usize, block: i32): void {
  const total = <i32>word(args, 1) * <i32>word(args, 2);
  const begin = block * SUMS, end = min(begin + SUMS, total);
  const c = <usize>word(args, 0), part = <usize>word(args, 3), step = <usize>total << 2;
  const count = chunks(args);
  for (let i = begin; i < end; i += 4) {
    let sum = f32x4.splat(0);
    let p = part + (<usize>i << 2);
    for (let q = 0; q < count; q++, p += step) sum = f32x4.add(sum, v128.load(p));
    v128.store(c + (<usize>i << 2), sum);
  }
}
