// y = M·x, where the values of M's stored entries are a tensor: entry e has value v[e], or v[order[e]] if `reordered`.
// args: y 0, matrix 3, reordered 4, scratch 5, x 6, v 9, order 12. prepare: packs right ⊙ x into scratch as spmm does, and puts
// reordered values into the matrix's own order. run: ROWS rows of one tile of y, or of all tiles if x is not packed.
//
// Scratch: the packed x, then the reordered values.
import { ENTRIES, ceilDiv } from "./blocks";
import { word } from "./kernel";
import { field, isSourcePacked, packBlocks, packRows, sparseBlock, tileBlocks } from "./sparse";

// @ts-ignore: decorator
@inline
function isPacked(args: usize): bool {
  return isSourcePacked(word(args, 3));
}

// @ts-ignore: decorator
@inline
function packedBytes(args: usize): usize {
  return isPacked(args) ? (<usize>word(args, 7) * <usize>word(args, 8) * 4 + 63) & ~63 : 0;
}

export function scratch(args: usize): i32 {
  return <i32>packedBytes(args) + (word(args, 4) ? <i32>word(args, 10) * 4 : 0);
}

export function prepareBlocks(args: usize): i32 {
  return packBlocks(word(args, 3), word(args, 7)) + (word(args, 4) ? ceilDiv(word(args, 10), ENTRIES) : 0);
}

export function prepare(args: usize, block: i32): void {
  const numPack = packBlocks(word(args, 3), word(args, 7));
  if (block < numPack) {
    packRows(word(args, 6), word(args, 7), <usize>word(args, 8) << 2, field(word(args, 3), 4), block, word(args, 5));
    return;
  }
  const begin = <usize>(block - numPack) * ENTRIES, end = min<usize>(begin + ENTRIES, word(args, 10));
  const v = <usize>word(args, 9), order = <usize>word(args, 12), to = <usize>word(args, 5) + packedBytes(args);
  for (let e = begin; e < end; e++) {
    store<f32>(to + (e << 2), load<f32>(v + (<usize>load<u32>(order + (e << 2)) << 2)));
  }
}

export function blocks(args: usize): i32 {
  return tileBlocks(word(args, 1), word(args, 2), isPacked(args));
}

export function run(args: usize, block: i32): void {
  const values = word(args, 4) ? <usize>word(args, 5) + packedBytes(args) : <usize>word(args, 9);
  sparseBlock(
    word(args, 3), values, block, word(args, 0), word(args, 1), <usize>word(args, 2) << 2, word(args, 6),
    isPacked(args) ? <usize>word(args, 5) : 0,
  );
}
