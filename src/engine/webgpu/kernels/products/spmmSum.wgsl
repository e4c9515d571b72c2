// Y = Σ_d w_d·M_d·X. included/product.wgsl says which thread computes what; a row adds one matrix after the other.

const SOURCE = 1u;

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readSource(b);
  let y = output(b, 0);
  let rowValues = x.cols / WIDTH;
  let at = findLane(b.index, thread, y.rows, rowValues);
  var sum = Value(0.0);
  var chunkSums = chunkPlace(b);
  for (var d = 0u; d < intAttribute(b, 0); d++) {
    let m = matrixOfList(intAttribute(b, 1), d);
    var part = partOfRow(m, at, rowValues, packedPlace(b, m, d), chunkSums);
    chunkSums += m.numHubChunks * x.cols;
    if (at.isActive) {
      if (m.diagonal != 0.0 && at.part == 0u) { part += diagonalWeight(m, at.row) * sourceValue(at.row, at.c); }
      sum += (scalar(input(b, 0).at + d) * leftScale(m, at.row)) * part;
    }
  }
  sum = addParts(sum, thread, at.part);
  if (at.isActive && at.part == 0u) { store(y.at / WIDTH + at.row * rowValues + at.c, sum); }
}
