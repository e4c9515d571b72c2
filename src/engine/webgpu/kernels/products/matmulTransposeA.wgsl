// C = Aᵀ·B with a long shared axis: CHUNK rows at a time.
//
// run: a workgroup computes a tile of 64 × 64 entries of one chunk (included/tile.wgsl) into the scratch space, [chunks, size of C]; a single
// chunk into C.
// finish: included/chunkSums.wgsl adds the chunks.

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let c = output(b, 0);
  let a = input(b, 0);
  let factor = input(b, 1);
  let tileColumns = (c.cols + 63u) / 64u;
  let tiles = (c.rows + 63u) / 64u * tileColumns;
  let chunk = b.index / tiles;
  let row = b.index % tiles / tileColumns * 64u;
  let column = b.index % tileColumns * 64u;
  let end = min(a.rows, (chunk + 1u) * CHUNK);
  var sums = array<vec4<f32>, 4>();
  for (var k = chunk * CHUNK; k < end; k += STEP) {
    loadAlong(true, a, k, row, end, thread);
    loadAlong(false, factor, k, column, end, thread);
    workgroupBarrier();
    addStep(&sums, thread);
    workgroupBarrier();
  }
  let to = select(floatScratch(b) + chunk * c.rows * c.cols, c.at, a.rows <= CHUNK);
  let j = column + 4u * (thread % 16u);
  for (var i = 0u; i < limit(4u); i++) {
    let r = row + 4u * (thread / 16u) + i;
    if (r < c.rows && j < c.cols) { storeRow(to + r * c.cols + j, sums[i], c.cols - j); }
  }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let c = output(b, 0);
  let numValues = c.rows * c.cols / WIDTH;
  let i = b.index * 16u + thread % 16u;
  let chunks = (input(b, 0).rows + CHUNK - 1u) / CHUNK;
  let sum = addChunks(floatScratch(b) / WIDTH + i, numValues, chunks, i < numValues, thread);
  if (thread < 16u && i < numValues) { store(c.at / WIDTH + i, sum); }
}
