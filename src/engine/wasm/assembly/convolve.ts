// y = s·max(M·x + b, 0), and a mask with one bit per entry, set where M·x + b > 0. NaN stays NaN.
// args: y 0, mask 3, matrix 6, s 7, scratch 8, x 9, b 12. prepare: ROWS rows of right ⊙ x, packed (see sparse.ts). run: ROWS rows
// of one tile, or of all tiles if x is not packed. An empty row of M gives s·max(c·x_i + b, 0).
import { float, word } from "./kernel";
import { activeBlock, field, packBlocks, packRows, isSourcePacked, tileBlocks } from "./sparse";

export function scratch(args: usize): i32 {
  return isSourcePacked(word(args, 6)) ? <i32>word(args, 10) * <i32>word(args, 11) * 4 : 0;
}

export function prepareBlocks(args: usize): i32 {
  return packBlocks(word(args, 6), word(args, 10));
}

export function prepare(args: usize, block: i32): void {
  packRows(word(args, 9), word(args, 10), <usize>word(args, 11) << 2, field(word(args, 6), 4), block, word(args, 8));
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), isSourcePacked(word(args, 6)));
}

export function run(args: usize, block: i32): void {
  const matrix = <usize>word(args, 6);
  activeBlock(
    matrix, block, word(args, 0), word(args, 1), <usize>word(args, 2) << 2, word(args, 9),
    isSourcePacked(matrix) ? <usize>word(args, 8) : 0, float(args, 7), word(args, 12), word(args, 3),
  );
}
