// dx = M·v and db = Σ_i v[i], where v = s·g if the mask's bit is set, otherwise 0. M comes transposed.
// args: dx 0, db 3, matrix 6, s 7, scratch 8, g 9, mask 12.
// prepare: a chunk of the rows of right ⊙ v into scratch, packed where that pays (see sparse.ts), and the chunk's partial sum of
// v (float32). run: a block of the product. finish: partial sums in order (float64).
//
// Scratch: the copy of right ⊙ v, then one row of partial sums per chunk.
import { chunkBlocks, chunkRows } from "./blocks";
import { float, word } from "./kernel";
import { TILE_BYTES, field, isSourcePacked, scaledBlock, tileBlocks, tileWidth } from "./sparse";
import { storeRow } from "./store";
import { maskBytes } from "./tile";

// @ts-ignore: decorator
@inline
function copyBytes(args: usize): usize {
  return (<usize>word(args, 10) * <usize>word(args, 11) * 4 + 63) & ~63;
}

// @ts-ignore: decorator
@inline
function chunks(args: usize): i32 {
  return chunkBlocks(word(args, 10));
}

/** Address of the partial sum of a chunk. */
// @ts-ignore: decorator
@inline
function partOf(args: usize, chunk: i32): usize {
  return <usize>word(args, 8) + copyBytes(args) + <usize>chunk * (<usize>word(args, 11) << 2);
}

export function scratch(args: usize): i32 {
  return <i32>(partOf(args, chunks(args)) - <usize>word(args, 8));
}

export function prepareBlocks(args: usize): i32 {
  return chunks(args);
}

export function prepare(args: usize, chunk: i32): void {
  const rows = <usize>word(args, 10), bytes = <usize>word(args, 11) << 2, matrix = <usize>word(args, 6);
  const size = <usize>chunkRows(<i32>rows), first = <usize>chunk * size, last = min(first + size, rows);
  const part = partOf(args, chunk), right = field(matrix, 4), packed = isSourcePacked(matrix), copy = <usize>word(args, 8);
  const words = maskBytes(bytes), s = float(args, 7);
  for (let k: usize = 0; k < bytes; k += TILE_BYTES) {
    const width = tileWidth(bytes, k), step = packed ? width : bytes;
    const from = <usize>word(args, 9) + first * bytes + k, to = copy + first * step + (packed ? k * rows : k);
    const mask = <usize>word(args, 12) + first * words + (k / TILE_BYTES << 2);
    let c: usize = 0;
    for (; c + 64 <= width; c += 64) {
      keepColumns(from + c, bytes, mask, words, <u32>(c >> 2), s, right, first, last, to + c, step, part + k + c);
    }
    for (; c < width; c += 4) {
      keepColumn(from + c, bytes, mask, words, <u32>(c >> 2), s, right, first, last, to + c, step, part + k + c);
    }
  }
}

/** Sixteen columns of rows first … last−1, whose bits begin at `shift` of the mask's words; rows of the copy are `step` bytes apart. */
function keepColumns(
  from: usize, bytes: usize, mask: usize, words: usize, shift: u32, s: f32, right: usize, first: usize, last: usize,
  to: usize, step: usize, sums: usize,
): void {
  const factor = f32x4.splat(s);
  let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
  for (let i = first; i < last; i++, from += bytes, to += step, mask += words) {
    const bits = i32x4.splat(load<u32>(mask) >> shift), scale = f32x4.splat(right ? load<f32>(right + (i << 2)) : 1);
    const a = keep(f32x4.mul(factor, v128.load(from)), bits, i32x4(1, 2, 4, 8));
    const b = keep(f32x4.mul(factor, v128.load(from, 16)), bits, i32x4(16, 32, 64, 128));
    const c = keep(f32x4.mul(factor, v128.load(from, 32)), bits, i32x4(256, 512, 1024, 2048));
    const d = keep(f32x4.mul(factor, v128.load(from, 48)), bits, i32x4(4096, 8192, 16384, 32768));
    s0 = f32x4.add(s0, a); s1 = f32x4.add(s1, b); s2 = f32x4.add(s2, c); s3 = f32x4.add(s3, d);
    v128.store(to, f32x4.mul(scale, a));
    v128.store(to, f32x4.mul(scale, b), 16);
    v128.store(to, f32x4.mul(scale, c), 32);
    v128.store(to, f32x4.mul(scale, d), 48);
  }
  storeRow(sums, s0, s1, s2, s3, 16);
}

/** The lanes of v whose bit is set. */
// @ts-ignore: decorator
@inline
function keep(v: v128, bits: v128, lanes: v128): v128 {
  return v128.and(v, i32x4.eq(v128.and(bits, lanes), lanes));
}

/** One column, as `keepColumns`. */
function keepColumn(
  from: usize, bytes: usize, mask: usize, words: usize, shift: u32, s: f32, right: usize, first: usize, last: usize,
  to: usize, step: usize, sums: usize,
): void {
  let sum: f32 = 0;
  for (let i = first; i < last; i++, from += bytes, to += step, mask += words) {
    const v: f32 = (load<u32>(mask) >> shift) & 1 ? s * load<f32>(from) : 0;
    sum += v;
    store<f32>(to, right ? load<f32>(right + (i << 2)) * v : v);
  }
  store<f32>(sums, sum);
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), isSourcePacked(word(args, 6)));
}

export function run(args: usize, block: i32): void {
  const matrix = <usize>word(args, 6), copy = <usize>word(args, 8);
  scaledBlock(
    matrix, block, word(args, 0), word(args, 1), <usize>word(args, 2) << 2, copy, isSourcePacked(matrix) ? copy : 0,
  );
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  const bytes = <usize>word(args, 11) << 2, count = chunks(args), db = <usize>word(args, 3);
  for (let k: usize = 0; k < bytes; k += 4) {
    let sum: f64 = 0;
    for (let chunk = 0; chunk < count; chunk++) sum += load<f32>(partOf(args, chunk) + k);
    store<f32>(db + k, <f32>sum);
  }
}
