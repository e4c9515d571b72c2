// A sparse matrix in memory: not a kernel.
//
// A matrix M = diag(left)(A + cI)diag(right) is a descriptor of 32-bit words:
// 0 rowStart, 1 columns, 2 values (0: all ones), 3 left (0: ones), 4 right (0: ones), 5 c (float), 6 rows, 7 columns,
// 8 stored entries, 9 values times right_j, entry by entry (0: not made; see sparse.ts), 10 columns and 11 stored entries of the
// whole matrix, of which this may be the rows of one rank: they choose how sums are formed, so that all ranks round alike.

/** A word of a descriptor. */
// @ts-ignore: decorator
@inline
export function field(matrix: usize, i: i32): usize {
  return load<u32>(matrix + (<usize>i << 2));
}

/** Factor of x_j: the value of the entry (1 if `values` is 0) times right_j (1 if `right` is 0). */
// @ts-ignore: decorator
@inline
export function weight(e: usize, columns: usize, values: usize, right: usize): f32 {
  let w: f32 = 1;
  if (values) w = load<f32>(values + (e - columns));
  if (right) w *= load<f32>(right + (<usize>load<u32>(e) << 2));
  return w;
}
