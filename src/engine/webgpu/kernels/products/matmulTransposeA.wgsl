// C = Aᵀ·B with a long shared axis: CHUNK rows at a time.
//
// run: a workgroup computes a tile of 64 × 64 entries of one chunk (included/tile.wgsl) into the scratch space, [chunks, size of C]; a single
// chunk into C.
// finish: one thread adds the chunks of one value, in order.

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
  let c = output(b, 0);
  let i = b.index * 256u + thread;
  let size = c.rows * c.cols;
  if (b.isIdle || i * WIDTH >= size) { return; }
  let a = input(b, 0);
  var sum = Value(0.0);
  for (var chunk = 0u; chunk * CHUNK < a.rows; chunk++) { sum += load((floatScratch(b) + chunk * size) / WIDTH + i); }
  store(c.at / WIDTH + i, sum);
}
