// y = M·x. args: y 0, matrix 3, scratch 4, x 5. One block: ROWS rows of one tile of y, or of all where x is far (see sparse.ts);
// an empty row gives c·x_i or zero. prepare packs right ⊙ x into scratch, unless rows are read too seldom to repay it.
import { ROWS, ceilDiv, word } from "./common";
import { field, packRows, packs as packsMatrix, sparseBlock, tileBlocks } from "./sparse";

// @ts-ignore: decorator
@inline
function packs(args: usize): bool {
  return packsMatrix(word(args, 3));
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
  return tileBlocks(word(args, 1), word(args, 2), packs(args));
}

export function run(args: usize, block: i32): void {
  const matrix = <usize>word(args, 3), packed = packs(args);
  sparseBlock(
    matrix, field(matrix, 2), block, word(args, 0), word(args, 1), <usize>word(args, 2) << 2, word(args, 5),
    packed ? <usize>word(args, 4) : 0,
  );
}
