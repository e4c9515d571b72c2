// dx = Σ_d w_d·q_d and dw_d = ⟨q_d, x⟩ with q_d = M_d·g. The M_d come transposed.
// args: dx 0, dw 3, number of matrices 6, their descriptors 7, scratch 8, w 9, x 12, g 15.
// prepare: ROWS rows of g into scratch, packed, unless g is far (see sparse.ts). run: ROWS rows of one tile, matrix after matrix,
// of all tiles if g is far, and their partial dot products (float64). finish: adds those in the order of rows, then tiles.
//
// Scratch: one partial dot product per ROWS rows, tile and matrix, then the packed g.
import { ROWS, ceilDiv } from "./blocks";
import { word } from "./kernel";
import { GROUP, TILE_BYTES, field, isFar, packRows, sparseRowsDot, tileBlocks, tileWidth, touchRows } from "./sparse";

/** Whether g is far; the same for all matrices. */
// @ts-ignore: decorator
@inline
function isSourceFar(args: usize): bool {
  return isFar(load<u32>(word(args, 7)));
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), !isSourceFar(args));
}

/** Number of partial dot products of a matrix. */
// @ts-ignore: decorator
@inline
function numDots(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), true);
}

/** Bytes of all partial dot products. */
// @ts-ignore: decorator
@inline
function dotBytes(args: usize): usize {
  return (<usize>numDots(args) * (<usize>word(args, 6) << 3) + 63) & ~63;
}

export function scratch(args: usize): i32 {
  return <i32>dotBytes(args) + (isSourceFar(args) ? 0 : <i32>word(args, 16) * <i32>word(args, 17) * 4);
}

export function prepareBlocks(args: usize): i32 {
  return isSourceFar(args) ? 0 : ceilDiv(word(args, 16), ROWS);
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 15), word(args, 16), <usize>word(args, 17) << 2, 0, block, <usize>word(args, 8) + dotBytes(args));
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, from = <usize>word(args, 16), perTile = ceilDiv(word(args, 1), ROWS);
  const tile = block / perTile, rowBlock = block % perTile, tiles = numDots(args) / perTile;
  const dotStep = <usize>word(args, 6) << 3, dots = <usize>word(args, 8) + <usize>(rowBlock * tiles + tile) * dotStep;
  memory.fill(dots, 0, isSourceFar(args) ? <usize>tiles * dotStep : dotStep);
  let first = <usize>rowBlock * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  if (!isSourceFar(args)) {
    const k = <usize>tile * TILE_BYTES, width = tileWidth(bytes, k);
    sumRows(args, first, last, k, <usize>word(args, 8) + dotBytes(args) + k * from, width, width, dots);
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
    const values = field(matrix, 2), right = field(matrix, 4);
    let dot = dots + (d << 3);
    touchRows(matrix, first, last, g, bytes);
    for (let k: usize = 0; k < bytes; k += TILE_BYTES, dot += <usize>word(args, 6) << 3) {
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
    let p = <usize>word(args, 8) + (d << 3);
    for (let b = 0; b < numDots(args); b++, p += step) sum += load<f64>(p);
    store<f32>(<usize>word(args, 3) + (d << 2), <f32>sum);
  }
}
