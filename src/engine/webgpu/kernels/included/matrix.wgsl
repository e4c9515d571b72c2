// A sparse matrix as stored-arrays.ts describes it; `place` is the attribute of the call. An array that the matrix does not have is at
// MISSING: no weights: all 1 (times the right scales, which the weights include); no left: 1.
struct Matrix {
  rowStart: u32, columns: u32, weights: u32, left: u32, right: u32, diagonal: f32,
  numRows: u32, numColumns: u32, numEntries: u32,
  hubRows: u32, numHubRows: u32, hubChunks: u32, numHubChunks: u32,
}

fn matrixAt(place: u32) -> Matrix {
  return Matrix(
    args[place], args[place + 1u], args[place + 2u], args[place + 3u], args[place + 4u], bitcast<f32>(args[place + 5u]),
    args[place + 6u], args[place + 7u], args[place + 8u],
    args[place + 9u], args[place + 10u], args[place + 11u], args[place + 12u],
  );
}
