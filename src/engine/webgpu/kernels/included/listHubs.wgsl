// The phase `hubs` of a product with a list of matrices (included/product.wgsl): the chunks of one matrix after those of the other.
// Included by kernels that include plainSource.wgsl.

// The factor of an entry; some matrices of a list have no weights.
fn entryWeight(m: Matrix, e: u32) -> f32 {
  if (m.weights == NONE) { return 1.0; }
  return scalar(m.weights + e);
}

@compute @workgroup_size(256)
fn hubs(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readSource(b);
  let cols = input(b, SOURCE).cols;
  let tiles = (cols / WIDTH + LANES - 1u) / LANES;
  var chunk = b.index / tiles;
  var sums = floatScratch(b);
  var m = matrixOfList(intAttribute(b, 1), 0u);
  for (var d = 0u; chunk >= m.numHubChunks;) {
    chunk -= m.numHubChunks;
    sums += m.numHubChunks * cols;
    d++;
    m = matrixOfList(intAttribute(b, 1), d);
  }
  sumChunk(m, chunk, b.index % tiles, thread, cols / WIDTH, sums);
}
