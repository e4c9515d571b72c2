// y = Σ_d w_d·M_d·x. args: y 0, number of matrices 3, their descriptors 4, scratch 5, w 6, x 9.
// prepare packs x into scratch (see sparse.ts). One block: ROWS rows of one tile of y, row by row, matrix after matrix.
import { ROWS, ceilDiv, word } from "./common";
import { TILE, field, packRows, sparseTile, tileBlocks, tileWidth } from "./sparse";

const TILE_BYTES: usize = 128;

/** Bytes of the packed x; one tile per block follows, where a row is summed before it goes to y. */
// @ts-ignore: decorator
@inline
function packedBytes(args: usize): usize {
  return (<usize>word(args, 10) * <usize>word(args, 11) * 4 + 63) & ~63;
}

export function scratch(args: usize): i32 {
  return <i32>packedBytes(args) + blocks(args) * <i32>TILE_BYTES;
}

export function prepareBlocks(args: usize): i32 {
  return ceilDiv(word(args, 10), ROWS);
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 9), word(args, 10), <usize>word(args, 11) << 2, 0, block, word(args, 5));
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2));
}

export function run(args: usize, block: i32): void {
  const bytes = <usize>word(args, 2) << 2, w = <usize>word(args, 6);
  const count = <usize>word(args, 3), matrices = <usize>word(args, 4);
  const perTile = ceilDiv(word(args, 1), ROWS);
  const k = <usize>(block / perTile) * (TILE << 2), y = <usize>word(args, 0) + k;
  const width = tileWidth(bytes, k), x = <usize>word(args, 5) + k * <usize>word(args, 10);
  const first = <usize>(block % perTile) * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  const sum = <usize>word(args, 5) + packedBytes(args) + <usize>block * TILE_BYTES;
  for (let i = first; i < last; i++) {
    for (let d: usize = 0; d < count; d++) {
      const matrix = <usize>load<u32>(matrices + (d << 2));
      sparseTile(matrix, field(matrix, 2), field(matrix, 4), i, x, width, width, sum, load<f32>(w + (d << 2)), d > 0);
    }
    memory.copy(y + i * bytes, sum, width);
  }
}
