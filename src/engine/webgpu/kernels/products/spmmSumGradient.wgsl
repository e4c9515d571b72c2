// With Q_d = M_d·G (M_d transposed already): dX = Σ_d w_d·Q_d and dw_d = ⟨Q_d, X⟩.
//
// included/product.wgsl says which thread computes a row of Q_d. The workgroup adds its products with X by a tree: scratch space
// [workgroups, D] after the sums of chunks. finish: a workgroup adds the sums of WIDTH matrices, which are one value of dw.

const SOURCE = 2u;
var<workgroup> dots: array<f32, 256>;

// The sum of one number of each thread, for thread 0. All threads must call it.
fn addThreads(own: f32, thread: u32) -> f32 {
  dots[thread] = own;
  for (var half = limit(128u); half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) { dots[thread] += dots[thread + half]; }
  }
  let sum = dots[0];
  workgroupBarrier();
  return sum;
}

// Address of the products of the workgroups, one value each: after the sums of all chunks.
fn dotsPlace(b: Block) -> u32 {
  var chunks = 0u;
  for (var d = 0u; d < intAttribute(b, 0); d++) { chunks += matrixOfList(intAttribute(b, 1), d).numHubChunks; }
  return chunkPlace(b) + chunks * input(b, 2).cols;
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readSource(b);
  let dx = output(b, 0);
  let rowValues = x.cols / WIDTH;
  let at = findLane(b.index, thread, dx.rows, rowValues);
  let numMatrices = intAttribute(b, 0);
  let place = at.row * rowValues + at.c;
  let dotsAt = dotsPlace(b) / WIDTH + b.index * numMatrices;
  var factor = Value(0.0);
  if (at.isActive) { factor = load(input(b, 1).at / WIDTH + place); }
  var sum = Value(0.0);
  var chunkSums = chunkPlace(b);
  for (var d = 0u; d < numMatrices; d++) {
    let m = matrixOfList(intAttribute(b, 1), d);
    var q = partOfRow(m, at, rowValues, packedPlace(b, m, d), chunkSums);
    chunkSums += m.numHubChunks * x.cols;
    if (at.isActive) {
      if (m.diagonal != 0.0 && at.part == 0u) { q += diagonalWeight(m, at.row) * sourceValue(at.row, at.c); }
      q *= leftScale(m, at.row);
    }
    // each part multiplies its own share with X: the products add up
    let dot = addThreads(total(q * factor), thread);
    sum += scalar(input(b, 0).at + d) * q;
    if (thread == 0u) { store(dotsAt + d, Value(dot)); }
  }
  sum = addParts(sum, thread, at.part);
  if (at.isActive && at.part == 0u) { store(dx.at / WIDTH + place, sum); }
}

fn numWorkgroups(dx: Tensor) -> u32 { return (dx.rows + ROWS - 1u) / ROWS * ((dx.cols / WIDTH + LANES - 1u) / LANES); }

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let numMatrices = intAttribute(b, 0);
  let dotsAt = dotsPlace(b);
  let numBlocks = numWorkgroups(output(b, 0));
  var sums = Value(0.0);
  for (var k = 0u; k < WIDTH; k++) {
    let d = b.index * WIDTH + k;
    var own = 0.0;
    if (d < numMatrices) {
      for (var block = thread; block < numBlocks; block += 256u) { own += scalar(dotsAt + (block * numMatrices + d) * WIDTH); }
    }
    sums = withComponent(sums, k, addThreads(own, thread));
  }
  if (thread == 0u) { store(output(b, 1).at / WIDTH + b.index, sums); }
}
