// dx = Σ_d w_d·q_d and dw_d = ⟨q_d, x⟩ with q_d = M_d·g. The M_d come transposed.
// args: dx 0, dw 3, number of matrices 6, their descriptors 7, scratch 8, w 9, x 12, g 15.
// prepare: ROWS rows of g into scratch, packed, unless g is far (see sparse.ts). run: ROWS rows of one tile, matrix after matrix,
// of all tiles if g is far, and the block's partial dot products (float64). finish: adds those in block order.
//
// Scratch: the packed g, then one partial dot product per block and matrix.
import { ROWS, ceilDiv } from "./blocks";
import { word } from "./kernel";
import { FAR_ROWS, GROUP, TILE_BYTES, field, packRows, sparseRowsDot, tileBlocks, tileWidth, touchRows } from "./sparse";

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), word(args, 16) < FAR_ROWS);
}

/** Bytes of the packed g. */
// @ts-ignore: decorator
@inline
function packedBytes(args: usize): usize {
  return word(args, 16) < FAR_ROWS ? (<usize>word(args, 16) * <usize>word(args, 17) * 4 + 63) & ~63 : 0;
}

/** Address of the partial dot products of a block. */
// @ts-ignore: decorator
@inline
function dotsOf(args: usize, block: i32): usize {
  return <usize>word(args, 8) + packedBytes(args) + <usize>block * (<usize>word(args, 6) << 3);
}

export function scratch(args: usize): i32 {
  return <i32>packedBytes(args) + blocks(args) * (<i32>word(args, 6) << 3);
}

export function prepareBlocks(args: usize): i32 {
  return word(args, 16) < FAR_ROWS ? ceilDiv(word(args, 16), ROWS) : 0;
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 15), word(args, 16), <usize>word(args, 17) << 2, 0, block, word(args, 8));
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, from = <usize>word(args, 16), perTile = ceilDiv(word(args, 1), ROWS);
  const dots = dotsOf(args, block);
  memory.fill(dots, 0, <usize>word(args, 6) << 3);
  let first = <usize>(block % perTile) * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  if (from < FAR_ROWS) {
    const k = <usize>(block / perTile) * TILE_BYTES, width = tileWidth(bytes, k);
    sumRows(args, first, last, k, <usize>word(args, 8) + k * from, width, width, dots);
    return;
  }
  for (; first < last; first += GROUP) {
    farRows(args, first, min(first + GROUP, last), bytes, dots);
  }
}

/** All tiles of a few rows that are read in place, matrix after matrix. */
function farRows(args: usize, first: usize, last: usize, bytes: usize, dots: usize): void {
  const dx = <usize>word(args, 0), w = <usize>word(args, 9), x = <usize>word(args, 12), g = <usize>word(args, 15);
  for (let d: usize = 0; d < word(args, 6); d++) {
    const matrix = <usize>load<u32>(<usize>word(args, 7) + (d << 2)), f = load<f32>(w + (d << 2));
    const values = field(matrix, 2), right = field(matrix, 4), dot = dots + (d << 3);
    touchRows(matrix, first, last, g, bytes);
    for (let k: usize = 0; k < bytes; k += TILE_BYTES) {
      const width = tileWidth(bytes, k);
      sparseRowsDot(matrix, values, right, first, last, g + k, bytes, width, dx + k, bytes, f, d ? dx + k : 0, x + k, dot);
    }
  }
}

/** The tile that begins k bytes into the rows, matrix after matrix; rows of the source are `stride` bytes apart. */
function sumRows(
  args: usize, first: usize, last: usize, k: usize, g: usize, stride: usize, width: usize, dots: usize,
): void {
  const bytes = <usize>word(args, 2) << 2, dx = <usize>word(args, 0) + k, x = <usize>word(args, 12) + k;
  for (let d: usize = 0; d < word(args, 6); d++) {
    const matrix = <usize>load<u32>(<usize>word(args, 7) + (d << 2)), factor = load<f32>(<usize>word(args, 9) + (d << 2));
    const values = field(matrix, 2), right = field(matrix, 4), dot = dots + (d << 3);
    sparseRowsDot(matrix, values, right, first, last, g, stride, width, dx, bytes, factor, d ? dx : 0, x, dot);
  }
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  const step = <usize>word(args, 6) << 3;
  for (let d: usize = 0; d < word(args, 6); d++) {
    let sum: f64 = 0;
    let p = dotsOf(args, 0) + (d << 3);
    for (let b = 0; b < blocks(args); b++, p += step) sum += load<f64>(p);
    store<f32>(<usize>word(args, 3) + (d << 2), <f32>sum);
  }
}
