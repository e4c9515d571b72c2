// y = M·x with M = diag(left)·(A + c·I)·diag(right). args: y 0, matrix 3, scratch 4, x 5. prepare: packs ROWS rows of right ⊙ x into scratch;
// skipped if the rows of x are read so seldom that packing costs more than it saves (see sparse.ts). run: computes ROWS rows of one
// tile of y, or of all tiles if x is not packed. An empty row i of A gives left_i·c·right_i·x_i, which is zero if the diagonal c is
// zero.
import { word } from "./kernel";
import { field, isSourcePacked, packBlocks, packRows, sparseBlock, tileBlocks } from "./sparse";

// @ts-ignore: decorator
@inline
function isPacked(args: usize): bool {
  return isSourcePacked(word(args, 3));
}

export function scratch(args: usize): i32 {
  return isPacked(args) ? <i32>word(args, 6) * <i32>word(args, 7) * 4 : 0;
}

export function prepareBlocks(args: usize): i32 {
  return packBlocks(word(args, 3), word(args, 6));
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 5), word(args, 6), <usize>word(args, 7) << 2, field(word(args, 3), 4), block, word(args, 4));
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), isPacked(args));
}

export function run(args: usize, block: i32): void {
  const matrix = <usize>word(args, 3), packed = isPacked(args);
  sparseBlock(
    matrix, field(matrix, 2), block, word(args, 0), word(args, 1), <usize>word(args, 2) << 2, word(args, 5),
    packed ? <usize>word(args, 4) : 0,
  );
}
