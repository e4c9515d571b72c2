// The phases `pack` and `hubs` of a product with one matrix (included/product.wgsl). Included by kernels that define SOURCE and readInputs.

@compute @workgroup_size(256)
fn pack(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readInputs(b);
  packSource(matrixAt(intAttribute(b, 0)), floatScratch(b), b.index * 256u + thread, input(b, SOURCE).cols / WIDTH);
}

// The sums of chunks come after the packed source.
fn chunkPlace(b: Block, m: Matrix) -> u32 { return floatScratch(b) + packedFloats(m, input(b, SOURCE).cols); }

@compute @workgroup_size(256)
fn hubs(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readInputs(b);
  // not from a variable of the module, which does not count as uniform
  let rowValues = input(b, SOURCE).cols / WIDTH;
  let tiles = (rowValues + LANES - 1u) / LANES;
  let m = matrixAt(intAttribute(b, 0));
  sumChunk(m, b.index / tiles, b.index % tiles, thread, rowValues, floatScratch(b), chunkPlace(b, m));
}
