// dW_g = Σ over rows b of block g of x[b]ᵀ·g[b]. args: dw 0, scratch 3, x 4, g 7, start 10.
// One block of work: one row of dw, which is one column of x over its block of rows. Sums run over CHUNK rows at a time, so
// that long sums lose no digits. A block without rows: zeros.
import { word } from "./kernel";
import { madd } from "./vector";

/** Rows summed before they are added to the result. Not tuned. */
const CHUNK: u32 = 256;

export function blocks(args: usize): i32 {
  return <i32>word(args, 1);
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, inner = word(args, 6), start = <usize>word(args, 10);
  const at = start + (<usize>(<u32>block / inner) << 2), last = load<u32>(at, 4);
  const dw = <usize>word(args, 0) + <usize>block * bytes;
  memory.fill(dw, 0, bytes);
  for (let b = load<u32>(at); b < last; b += CHUNK) {
    const x = <usize>word(args, 4) + ((<usize>b * inner + <usize>(<u32>block % inner)) << 2);
    addChunk(x, <usize>inner << 2, <usize>word(args, 7) + <usize>b * bytes, min(CHUNK, last - b), bytes, dw);
  }
}

/** dw += Σ x·g over `count` rows; x steps by `stride` bytes. */
function addChunk(x: usize, stride: usize, g: usize, count: u32, bytes: usize, dw: usize): void {
  let j: usize = 0;
  for (; j + 64 <= bytes; j += 64) {
    let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
    let from = x, row = g + j;
    for (let b: u32 = 0; b < count; b++, from += stride, row += bytes) {
      const c = v128.load32_splat(from);
      s0 = madd(c, v128.load(row), s0);
      s1 = madd(c, v128.load(row, 16), s1);
      s2 = madd(c, v128.load(row, 32), s2);
      s3 = madd(c, v128.load(row, 48), s3);
    }
    v128.store(dw + j, f32x4.add(v128.load(dw + j), s0));
    v128.store(dw + j, f32x4.add(v128.load(dw + j, 16), s1), 16);
    v128.store(dw + j, f32x4.add(v128.load(dw + j, 32), s2), 32);
    v128.store(dw + j, f32x4.add(v128.load(dw + j, 48), s3), 48);
  }
  for (; j + 16 <= bytes; j += 16) {
    let s = f32x4.splat(0), from = x, row = g + j;
    for (let b: u32 = 0; b < count; b++, from += stride, row += bytes) {
      s = madd(v128.load32_splat(from), v128.load(row), s);
    }
    v128.store(dw + j, f32x4.add(v128.load(dw + j), s));
  }
  for (; j < bytes; j += 4) {
    let s: f32 = 0, from = x, row = g + j;
    for (let b: u32 = 0; b < count; b++, from += stride, row += bytes) s += load<f32>(from) * load<f32>(row);
    store<f32>(dw + j, load<f32>(dw + j) + s);
  }
}
