// y = y0 + w_d·M·x, where y0 is zero if d is 0: one matrix of spmmSum, with the same arithmetic, for partitioned programs.
// args: y 0, matrix 3, d 4, scratch 5, w 6, x 9, y0 12 if d > 0. Blocks are those of spmmSum. y may be y0.
import { ROWS, ceilDiv } from "./blocks";
import { word } from "./kernel";
import { GROUP, TILE_BYTES, field, isFar, packRows, sparseRows, tileBlocks, tileWidth, touchRows } from "./sparse";

export function scratch(args: usize): i32 {
  return isFar(word(args, 3)) ? 0 : <i32>word(args, 10) * <i32>word(args, 11) * 4;
}

export function prepareBlocks(args: usize): i32 {
  return isFar(word(args, 3)) ? 0 : ceilDiv(word(args, 10), ROWS);
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 9), word(args, 10), <usize>word(args, 11) << 2, 0, block, word(args, 5));
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), !isFar(word(args, 3)));
}

export function run(args: usize, block: i32): void {
  const matrix = <usize>word(args, 3), x = <usize>word(args, 9), bytes = <usize>word(args, 2) << 2;
  const perTile = ceilDiv(word(args, 1), ROWS);
  let first = <usize>(block % perTile) * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1));
  if (!isFar(matrix)) {
    const k = <usize>(block / perTile) * TILE_BYTES, width = tileWidth(bytes, k);
    addRows(args, first, last, k, <usize>word(args, 5) + k * <usize>word(args, 10), width, width);
    return;
  }
  for (; first < last; first += GROUP) {
    const until = min(first + GROUP, last);
    touchRows(matrix, first, until, x, bytes);
    for (let k: usize = 0; k < bytes; k += TILE_BYTES) addRows(args, first, until, k, x + k, bytes, tileWidth(bytes, k));
  }
}

/** The tile that begins k bytes into the rows; rows of the source are `stride` bytes apart. */
function addRows(args: usize, first: usize, last: usize, k: usize, x: usize, stride: usize, width: usize): void {
  const matrix = <usize>word(args, 3), d = <usize>word(args, 4), bytes = <usize>word(args, 2) << 2;
  const factor = load<f32>(<usize>word(args, 6) + (d << 2)), y = <usize>word(args, 0) + k;
  const old = d ? <usize>word(args, 12) + k : 0;
  sparseRows(matrix, field(matrix, 2), field(matrix, 4), first, last, x, stride, width, y, bytes, factor, old);
}
