// y = M·x. args: y 0, matrix 3, scratch 4, x 5. One block: ROWS rows of one tile of y; an empty row gives c·x_i or zero.
// prepare packs right ⊙ x into scratch (see sparse.ts), unless rows are read too seldom to repay it.
import { ROWS, ceilDiv, word } from "./common";
import { PACK_READS, TILE, field, packRows, sparseTile, tileBlocks, tileWidth } from "./sparse";

// @ts-ignore: decorator
@inline
function packs(args: usize): bool {
  const matrix = <usize>word(args, 3);
  return <bool>(field(matrix, 8) >= PACK_READS * word(args, 6));
}

export function scratch(args: usize): i32 {
  return packs(args) ? <i32>word(args, 6) * <i32>word(args, 7) * 4 : 0;
}

export function prepareBlocks(args: usize): i32 {
  return packs(args) ? ceilDiv(word(args, 6), ROWS) : 0;
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 5), word(args, 6), <usize>word(args, 7) << 2, field(word(args, 3), 4), block, word(args, 4));
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2));
}

export function run(args: usize, block: i32): void {
  const matrix = <usize>word(args, 3), bytes = <usize>word(args, 2) << 2;
  const perTile = ceilDiv(word(args, 1), ROWS);
  const k = <usize>(block / perTile) * (TILE << 2), y = <usize>word(args, 0) + k, width = tileWidth(bytes, k);
  const packed = packs(args);
  const x = packed ? <usize>word(args, 4) + k * <usize>word(args, 6) : <usize>word(args, 5) + k;
  const stride = packed ? width : bytes, right = packed ? 0 : field(matrix, 4);
  const first = <usize>(block % perTile) * ROWS, last = min<usize>(first + ROWS, word(args, 1));
  const values = field(matrix, 2);
  for (let i = first; i < last; i++) sparseTile(matrix, values, right, i, x, stride, width, y + i * bytes, 1, false);
}
