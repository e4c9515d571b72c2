/**
 * What a kernel is, and how it reads its arguments.
 *
 * A kernel file exports
 *   blocks(args)        number of independent blocks of work; it depends on the shapes alone
 *   run(args, block)    computes one block
 * and, where needed, scratch(args) in bytes, prepareBlocks/prepare (a phase before `run`) and finishBlocks/finish (a phase
 * after it). A barrier separates the phases. Blocks of one phase run in any order on any thread, so results do not depend on
 * the number of threads. `blocks.ts` cuts the work.
 *
 * `args` points at 32-bit words: for every output (pointer, rows, columns), then the attributes in the op's order, then
 * the scratch pointer, then for every input (pointer, rows, columns). The header of a kernel lists the first word of each:
 * "args: y 0, s 3, scratch 4, x 5" puts the output y in words 0 to 2, the attribute s in word 3, the pointer to the scratch
 * space in word 4 and the input x in words 5 to 7. Storage is aligned and padded to 64 bytes, so an entry-wise kernel may
 * finish its last vector past the end.
 */

/** "No row" in an index tensor. */
export const MISSING: u32 = 0xffffffff;

// @ts-ignore: decorator
@inline
export function word(args: usize, i: i32): u32 {
  return load<u32>(args + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline
export function float(args: usize, i: i32): f32 {
  return load<f32>(args + (<usize>i << 2));
}

/** Number of entries of the tensor at word i. */
// @ts-ignore: decorator
@inline
export function entries(args: usize, i: i32): i32 {
  return <i32>word(args, i + 1) * <i32>word(args, i + 2);
}

/** Bytes of a row of the tensor at word i. */
// @ts-ignore: decorator
@inline
export function rowBytes(args: usize, i: i32): usize {
  return <usize>word(args, i + 2) << 2;
}

/** Address of a row of the tensor at word i. */
// @ts-ignore: decorator
@inline
export function rowAddress(args: usize, i: i32, row: usize): usize {
  return <usize>word(args, i) + row * rowBytes(args, i);
}
