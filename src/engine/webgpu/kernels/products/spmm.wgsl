// Y = M·X. included/product.wgsl says which thread computes what; empty rows of M give the diagonal alone, or zeros.

var<private> x: Tensor;

fn sourceValue(j: u32, c: u32) -> Value { return load(x.at / WIDTH + j * (x.cols / WIDTH) + c); }
fn entryWeight(m: Matrix, e: u32) -> f32 { return scalar(m.weights + e); }

@compute @workgroup_size(256)
fn hubs(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  x = input(b, 0);
  let tiles = (x.cols / WIDTH + LANES - 1u) / LANES;
  sumChunk(matrixAt(intAttribute(b, 0)), b.index / tiles, b.index % tiles, thread, x.cols / WIDTH, floatScratch(b));
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  x = input(b, 0);
  let m = matrixAt(intAttribute(b, 0));
  let rowValues = x.cols / WIDTH;
  let at = findLane(b.index, thread, m.numRows, rowValues);
  var sum = addParts(partOfRow(m, at, rowValues, floatScratch(b)), thread, at.part);
  if (at.isActive && at.part == 0u) {
    if (m.diagonal != 0.0) { sum += diagonalWeight(m, at.row) * sourceValue(at.row, at.c); }
    store(output(b, 0).at / WIDTH + at.row * rowValues + at.c, leftScale(m, at.row) * sum);
  }
}
