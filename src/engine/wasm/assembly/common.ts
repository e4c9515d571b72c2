/**
 * What all kernels share. A kernel file exports
 *   blocks(args)        number of independent blocks of work, fixed by the shapes alone
 *   run(args, block)    computes one block
 * and, where needed, scratch(args) in bytes, prepareBlocks/prepare (a phase before) and finishBlocks/finish (a phase
 * after). Phases are separated by barriers; blocks of one phase run in any order on any thread, so that results do not
 * depend on the number of threads.
 *
 * `args` points at 32-bit words: for every output (pointer, rows, columns), then the attributes in the op's order, then
 * the scratch pointer, then for every input (pointer, rows, columns). Storage is aligned and padded to 64 bytes, so an
 * entry-wise kernel may finish its last vector past the end.
 */

/** Entries per block of an entry-wise kernel: 64 KiB a stream stays in the second-level cache. */
export const ENTRIES: i32 = 16384;
/** Rows per block of a row-wise kernel. */
export const ROWS: i32 = 64;
/** "No row" in an index tensor. */
export const MISSING: u32 = 0xffffffff;
/** Most partial sums of a reduction: bounds its scratch space. */
export const MAX_CHUNKS: i32 = 64;
/** Fewest rows per partial sum. */
export const MIN_CHUNK_ROWS: i32 = 256;

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

// @ts-ignore: decorator
@inline
export function ceilDiv(a: i32, b: i32): i32 {
  return (a + b - 1) / b;
}

/** a·b + c: fused where the relaxed instruction set is on. */
// @ts-ignore: decorator
@inline
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

/** Sum of the four lanes, pairwise. */
// @ts-ignore: decorator
@inline
export function sumLanes(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

/** Entries of tensor at word i (pointer, rows, cols). */
// @ts-ignore: decorator
@inline
export function entries(args: usize, i: i32): i32 {
  return <i32>word(args, i + 1) * <i32>word(args, i + 2);
}

/** Blocks of an entry-wise kernel over the tensor at word i. */
// @ts-ignore: decorator
@inline
export function entryBlocks(args: usize, i: i32): i32 {
  return ceilDiv(entries(args, i), ENTRIES);
}

/** Blocks of a row-wise kernel over the tensor at word i. */
// @ts-ignore: decorator
@inline
export function rowBlocks(args: usize, i: i32): i32 {
  return ceilDiv(word(args, i + 1), ROWS);
}

/** Rows per partial sum for `rows` rows: depends on nothing else. */
export function chunkRows(rows: i32): i32 {
  return max(MIN_CHUNK_ROWS, ceilDiv(rows, MAX_CHUNKS));
}
