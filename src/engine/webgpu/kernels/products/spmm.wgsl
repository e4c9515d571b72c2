// Y = M·X. included/product.wgsl says which thread computes what; empty rows of M give the diagonal alone, or zeros.

const SOURCE = 0u;

fn readInputs(b: Block) { readSource(b); }
fn entryWeight(m: Matrix, e: u32) -> f32 { return scalar(m.weights + e); }

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readInputs(b);
  let m = matrixAt(intAttribute(b, 0));
  let rowValues = x.cols / WIDTH;
  let at = findLane(b.index, thread, m.numRows, rowValues);
  var sum = addParts(partOfRow(m, at, rowValues, floatScratch(b), chunkPlace(b, m)), thread, at.part);
  if (at.isActive && at.part == 0u) {
    if (m.diagonal != 0.0) { sum += diagonalWeight(m, at.row) * sourceValue(at.row, at.c); }
    store(output(b, 0).at / WIDTH + at.row * rowValues + at.c, leftScale(m, at.row) * sum);
  }
}
