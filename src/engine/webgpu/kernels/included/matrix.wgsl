// A sparse matrix M = diag(left)·(A + diagonal·I)·diag(right), as stored-arrays.ts describes it. Included by kernels.
// `weights`: value of each entry times the right scale of its column. An array that the matrix does not have is at NONE.

const NONE = 0xffffffffu;

struct Matrix {
  rowStart: u32, columns: u32, weights: u32, left: u32, right: u32, diagonal: f32,
  numRows: u32, numColumns: u32, numEntries: u32,
  hubRows: u32, numHubRows: u32, hubChunks: u32, numHubChunks: u32,
}

fn matrixAt(i: u32) -> Matrix {
  return Matrix(
    args[i], args[i + 1u], args[i + 2u], args[i + 3u], args[i + 4u], bitcast<f32>(args[i + 5u]),
    args[i + 6u], args[i + 7u], args[i + 8u],
    args[i + 9u], args[i + 10u], args[i + 11u], args[i + 12u],
  );
}

// The matrix of place d in a list.
fn matrixOfList(list: u32, d: u32) -> Matrix { return matrixAt(args[list + d]); }
