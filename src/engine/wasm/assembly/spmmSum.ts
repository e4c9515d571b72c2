// y = Σ_d w_d·M_d·x. Positions in args: y 0, number of matrices 3, their descriptors 4, scratch 5, w 6, x 9.
// A block of `prepare` packs ROWS rows of x into scratch, unless x is far, that is, has too many rows for the caches (see
// sparse.ts). A block of `run` computes ROWS rows of y, in one tile, or in all tiles if x is far; it adds one matrix after the
// other. Empty rows are treated as in spmm.
import { ROWS, ceilDiv } from "./blocks";
import { word } from "./kernel";
import { GROUP, TILE_BYTES, field, isFar, packRows, sparseRows, tileBlocks, tileWidth, touchRows } from "./sparse";

/** Whether x is far; the same for all matrices. */
// @ts-ignore: decorator
@inline
function isSourceFar(args: usize): bool {
  return isFar(load<u32>(word(args, 4)));
}

export function scratch(args: usize): i32 {
  return isSourceFar(args) ? 0 : <i32>word(args, 10) * <i32>word(args, 11) * 4;
}

export function prepareBlocks(args: usize): i32 {
  return isSourceFar(args) ? 0 : ceilDiv(word(args, 10), ROWS);
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 9), word(args, 10), <usize>word(args, 11) << 2, 0, block, word(args, 5));
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), !isSourceFar(args));
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, sourceRows = <usize>word(args, 10), perTile = ceilDiv(word(args, 1), ROWS);
  let first = <usize>(block % perTile) * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  if (!isSourceFar(args)) {
    const k = <usize>(block / perTile) * TILE_BYTES, width = tileWidth(bytes, k);
    sumTileRows(args, first, last, k, <usize>word(args, 5) + k * sourceRows, width, width);
    return;
  }
  for (; first < last; first += GROUP) {
    sumFarRows(args, first, min(first + GROUP, last), bytes);
  }
}

/** Computes all tiles of a few rows of y from x in place, one matrix after the other. */
function sumFarRows(args: usize, first: usize, last: usize, bytes: usize): void {
  const y = <usize>word(args, 0), w = <usize>word(args, 6), x = <usize>word(args, 9);
  for (let d: usize = 0; d < word(args, 3); d++) {
    const matrix = <usize>load<u32>(<usize>word(args, 4) + (d << 2)), factor = load<f32>(w + (d << 2));
    const values = field(matrix, 2), right = field(matrix, 4);
    touchRows(matrix, first, last, x, bytes);
    for (let k: usize = 0; k < bytes; k += TILE_BYTES) {
      sparseRows(matrix, values, right, first, last, x + k, bytes, tileWidth(bytes, k), y + k, bytes, factor, d ? y + k : 0);
    }
  }
}

/** Computes the tile of y that begins at byte k of each row, one matrix after the other; rows of x are `stride` bytes apart. */
function sumTileRows(args: usize, first: usize, last: usize, k: usize, x: usize, stride: usize, width: usize): void {
  const bytes = <usize>word(args, 2) << 2, y = <usize>word(args, 0) + k, w = <usize>word(args, 6);
  for (let d: usize = 0; d < word(args, 3); d++) {
    const matrix = <usize>load<u32>(<usize>word(args, 4) + (d << 2)), factor = load<f32>(w + (d << 2));
    sparseRows(matrix, field(matrix, 2), field(matrix, 4), first, last, x, stride, width, y, bytes, factor, d ? y : 0);
  }
}
