// y = right ⊙ v and db = Σ_i v[i], where v = s·g if the mask's bit is set, otherwise 0: the first half of convolveGradient.
// args: y 0, db 3, s 6, scaled 7, scratch 8, g 9, mask 12, right 15 if scaled (otherwise ones). run: one chunk of rows, and its
// partial sum of v (float32). finish: partial sums in order (float64). Reads g and the mask, writes y, which may be g.
import { chunkBlocks, chunkRows } from "./blocks";
import { addParts, keepRows } from "./keep";
import { float, rowBytes, word } from "./kernel";

export function blocks(args: usize): i32 {
  return chunkBlocks(word(args, 10));
}

export function scratch(args: usize): i32 {
  return blocks(args) * <i32>rowBytes(args, 9);
}

export function run(args: usize, chunk: i32): void {
  const rows = <usize>word(args, 10), bytes = rowBytes(args, 9), right = word(args, 7) != 0 ? <usize>word(args, 15) : 0;
  const size = <usize>chunkRows(<i32>rows), first = <usize>chunk * size;
  keepRows(
    word(args, 9), word(args, 12), bytes, first, min(first + size, rows), float(args, 6), right, word(args, 0), 0,
    <usize>word(args, 8) + <usize>chunk * bytes,
  );
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  addParts(word(args, 8), blocks(args), rowBytes(args, 9), word(args, 3));
}
