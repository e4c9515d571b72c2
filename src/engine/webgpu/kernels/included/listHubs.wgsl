// The phases `pack` and `hubs` of a product with a list of matrices (included/product.wgsl): the packed sources of all matrices, then the
// chunks of one matrix after those of the other.
// Included by kernels that include plainSource.wgsl.

// The factor of an entry; some matrices of a list have no weights.
fn entryWeight(m: Matrix, e: u32) -> f32 {
  if (m.weights == NONE) { return 1.0; }
  return scalar(m.weights + e);
}

// Address of the packed source of matrix d; all matrices have the same shape.
fn packedPlace(b: Block, m: Matrix, d: u32) -> u32 { return floatScratch(b) + d * packedFloats(m, input(b, SOURCE).cols); }

// Address of the sums of the chunks of all matrices.
fn chunkPlace(b: Block) -> u32 {
  let numMatrices = intAttribute(b, 0);
  return packedPlace(b, matrixOfList(intAttribute(b, 1), 0u), numMatrices);
}

@compute @workgroup_size(256)
fn pack(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readSource(b);
  let rowValues = x.cols / WIDTH;
  let groups = b.count / intAttribute(b, 0);
  let d = b.index / groups;
  let m = matrixOfList(intAttribute(b, 1), d);
  packSource(m, packedPlace(b, m, d), (b.index % groups) * 256u + thread, rowValues);
}

@compute @workgroup_size(256)
fn hubs(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readSource(b);
  let cols = input(b, SOURCE).cols;
  let tiles = (cols / WIDTH + LANES - 1u) / LANES;
  var chunk = b.index / tiles;
  var sums = chunkPlace(b);
  var d = 0u;
  var m = matrixOfList(intAttribute(b, 1), 0u);
  while (chunk >= m.numHubChunks) {
    chunk -= m.numHubChunks;
    sums += m.numHubChunks * cols;
    d++;
    m = matrixOfList(intAttribute(b, 1), d);
  }
  sumChunk(m, chunk, b.index % tiles, thread, cols / WIDTH, packedPlace(b, m, d), sums);
}
