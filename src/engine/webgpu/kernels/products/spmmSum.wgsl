// Y = Σ_d w_d·M_d·X. included/product.wgsl says which thread computes what; a row adds one matrix after the other.

var<private> x: Tensor;

fn sourceValue(j: u32, c: u32) -> Value { return load(x.at / WIDTH + j * (x.cols / WIDTH) + c); }
fn entryWeight(m: Matrix, e: u32) -> f32 {
  if (m.weights == NONE) { return 1.0; }
  return scalar(m.weights + e);
}

@compute @workgroup_size(256)
fn hubs(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  x = input(b, 1);
  let tiles = (x.cols / WIDTH + LANES - 1u) / LANES;
  var chunk = b.index / tiles;
  var sums = floatScratch(b);
  var m = matrixOfList(intAttribute(b, 1), 0u);
  for (var d = 0u; chunk >= m.numHubChunks;) {
    chunk -= m.numHubChunks;
    sums += m.numHubChunks * x.cols;
    d++;
    m = matrixOfList(intAttribute(b, 1), d);
  }
  sumChunk(m, chunk, b.index % tiles, thread, x.cols / WIDTH, sums);
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  x = input(b, 1);
  let y = output(b, 0);
  let rowValues = x.cols / WIDTH;
  let at = findLane(b.index, thread, y.rows, rowValues);
  var sum = Value(0.0);
  var chunkSums = floatScratch(b);
  for (var d = 0u; d < intAttribute(b, 0); d++) {
    let m = matrixOfList(intAttribute(b, 1), d);
    var part = partOfRow(m, at, rowValues, chunkSums);
    chunkSums += m.numHubChunks * x.cols;
    if (at.isActive) {
      if (m.diagonal != 0.0 && at.part == 0u) { part += diagonalWeight(m, at.row) * sourceValue(at.row, at.c); }
      sum += (scalar(input(b, 0).at + d) * leftScale(m, at.row)) * part;
    }
  }
  sum = addParts(sum, thread, at.part);
  if (at.isActive && at.part == 0u) { store(y.at / WIDTH + at.row * rowValues + at.c, sum); }
}
