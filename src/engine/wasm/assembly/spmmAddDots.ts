// dx = dx0 + w_d·q with q = M·g, where dx0 is zero if d is 0, and partial sums of ⟨q, x⟩: one matrix of spmmSumGradient, with the same
// arithmetic, for partitioned programs.
// args: dx 0, matrix 3, d 4, scratch 5, w 6, x 9, g 12, dx0 15 if d > 0. Blocks are those of spmmSumGradient. dx may be dx0.
//
// Scratch: one partial dot product (float64) per ROWS rows and tile, then the packed g unless it is far.
import { ROWS, ceilDiv } from "./blocks";
import { word } from "./kernel";
import { GROUP, TILE_BYTES, field, isFar, packRows, sparseRowsDot, tileBlocks, tileWidth, touchRows } from "./sparse";

/** Bytes of all partial dot products. */
// @ts-ignore: decorator
@inline
function dotBytes(args: usize): usize {
  return ((<usize>tileBlocks(word(args, 1), word(args, 2), true) << 3) + 63) & ~63;
}

export function scratch(args: usize): i32 {
  return <i32>dotBytes(args) + (isFar(word(args, 3)) ? 0 : <i32>word(args, 13) * <i32>word(args, 14) * 4);
}

export function prepareBlocks(args: usize): i32 {
  return isFar(word(args, 3)) ? 0 : ceilDiv(word(args, 13), ROWS);
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 12), word(args, 13), <usize>word(args, 14) << 2, 0, block, <usize>word(args, 5) + dotBytes(args));
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), !isFar(word(args, 3)));
}

export function run(args: usize, block: i32): void {
  const matrix = <usize>word(args, 3), g = <usize>word(args, 12), bytes = <usize>word(args, 2) << 2;
  const perTile = ceilDiv(word(args, 1), ROWS), rowBlock = block % perTile;
  const tiles = tileBlocks(word(args, 1), word(args, 2), true) / perTile;
  let first = <usize>rowBlock * ROWS;
  const last = min<usize>(first + ROWS, word(args, 1)), dots = <usize>word(args, 5) + (<usize>(rowBlock * tiles) << 3);
  if (!isFar(matrix)) {
    const tile = <usize>(block / perTile), k = tile * TILE_BYTES, width = tileWidth(bytes, k);
    store<f64>(dots + (tile << 3), 0);
    const packed = <usize>word(args, 5) + dotBytes(args);
    addRows(args, first, last, k, packed + k * <usize>word(args, 13), width, width, dots + (tile << 3));
    return;
  }
  memory.fill(dots, 0, <usize>tiles << 3);
  for (; first < last; first += GROUP) {
    const until = min(first + GROUP, last);
    touchRows(matrix, first, until, g, bytes);
    for (let k: usize = 0, dot = dots; k < bytes; k += TILE_BYTES, dot += 8) {
      addRows(args, first, until, k, g + k, bytes, tileWidth(bytes, k), dot);
    }
  }
}

/** The tile that begins k bytes into the rows; rows of the source are `stride` bytes apart. */
function addRows(
  args: usize, first: usize, last: usize, k: usize, g: usize, stride: usize, width: usize, dot: usize,
): void {
  const matrix = <usize>word(args, 3), d = <usize>word(args, 4), bytes = <usize>word(args, 2) << 2;
  const factor = load<f32>(<usize>word(args, 6) + (d << 2)), dx = <usize>word(args, 0) + k, x = <usize>word(args, 9) + k;
  const old = d ? <usize>word(args, 15) + k : 0, values = field(matrix, 2), right = field(matrix, 4);
  sparseRowsDot(matrix, values, right, first, last, g, stride, width, dx, bytes, factor, old, x, dot);
}
