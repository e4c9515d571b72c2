// dx = M·v and db = Σ_i v[i], where v = s·g if the mask's bit is set, otherwise 0. M comes transposed.
// args: dx 0, db 3, matrix 6, s 7, scratch 8, g 9, mask 12.
// prepare: a chunk of the rows of right ⊙ v into scratch, packed where that pays (see sparse.ts), and the chunk's partial sum of
// v (float32). run: a block of the product. finish: partial sums in order (float64).
//
// Scratch: the copy of right ⊙ v, then one row of partial sums per chunk.
import { chunkBlocks, chunkRows } from "./blocks";
import { addParts, keepRows } from "./keep";
import { float, word } from "./kernel";
import { field, isSourcePacked, scaledBlock, tileBlocks } from "./sparse";

// @ts-ignore: decorator
@inline
function copyBytes(args: usize): usize {
  return (<usize>word(args, 10) * <usize>word(args, 11) * 4 + 63) & ~63;
}

// @ts-ignore: decorator
@inline
function chunks(args: usize): i32 {
  return chunkBlocks(word(args, 10));
}

/** Address of the partial sum of a chunk. */
// @ts-ignore: decorator
@inline
function partOf(args: usize, chunk: i32): usize {
  return <usize>word(args, 8) + copyBytes(args) + <usize>chunk * (<usize>word(args, 11) << 2);
}

export function scratch(args: usize): i32 {
  return <i32>(partOf(args, chunks(args)) - <usize>word(args, 8));
}

export function prepareBlocks(args: usize): i32 {
  return chunks(args);
}

export function prepare(args: usize, chunk: i32): void {
  const rows = <usize>word(args, 10), bytes = <usize>word(args, 11) << 2, matrix = <usize>word(args, 6);
  const size = <usize>chunkRows(<i32>rows), first = <usize>chunk * size;
  keepRows(
    word(args, 9), word(args, 12), bytes, first, min(first + size, rows), float(args, 7), field(matrix, 4),
    word(args, 8), isSourcePacked(matrix) ? rows : 0, partOf(args, chunk),
  );
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), isSourcePacked(word(args, 6)));
}

export function run(args: usize, block: i32): void {
  const matrix = <usize>word(args, 6), copy = <usize>word(args, 8);
  scaledBlock(
    matrix, block, word(args, 0), word(args, 1), <usize>word(args, 2) << 2, copy, isSourcePacked(matrix) ? copy : 0,
  );
}

export function finishBlocks(_args: usize): i32 {
  return 1;
}

export function finish(args: usize, _block: i32): void {
  addParts(partOf(args, 0), chunks(args), <usize>word(args, 11) << 2, word(args, 3));
}
