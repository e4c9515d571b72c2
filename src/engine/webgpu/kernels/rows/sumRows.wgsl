// y = s·Σ_i X[i], in blocks of rows; then the blocks.
//
// run: a workgroup of 256 threads sums a block of `tile` columns: thread t adds rows t / tile, t / tile + 256 / tile, … of column
// t mod tile, then the threads of a column are added by a tree. Partial sums: [blocks of rows, cols] in the scratch space.
// finish: included/chunkSums.wgsl adds the blocks.

var<workgroup> parts: array<f32, 256>;

// No constants, so that tensors of all shapes share a pipeline.
fn blockRows(x: Tensor) -> u32 {
  var rows = 256u;
  while (rows * 256u < x.rows) { rows *= 2u; }
  return rows;
}

fn tileColumns(x: Tensor) -> u32 {
  var columns = 1u;
  while (columns < min(x.cols, 32u)) { columns *= 2u; }
  return columns;
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let x = input(b, 0);
  let rows = blockRows(x);
  let tile = tileColumns(x);
  let perColumn = 256u / tile;
  let tiles = (x.cols + tile - 1u) / tile;
  let rowBlock = b.index / tiles;
  let column = (b.index % tiles) * tile + thread % tile;
  let end = min(x.rows, (rowBlock + 1u) * rows);
  var sum = 0.0;
  if (column < x.cols) {
    for (var i = rowBlock * rows + thread / tile; i < end; i += perColumn) { sum += load(x.at + i * x.cols + column); }
  }
  parts[thread] = sum;
  for (var half = perColumn / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half * tile) { parts[thread] += parts[thread + half * tile]; }
  }
  if (thread < tile && column < x.cols) { store(floatScratch(b) + rowBlock * x.cols + column, parts[thread]); }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let x = input(b, 0);
  let column = b.index * 16u + thread % 16u;
  let rows = blockRows(x);
  let sum = addChunks(floatScratch(b) + column, x.cols, (x.rows + rows - 1u) / rows, column < x.cols, thread);
  if (thread < 16u && column < x.cols) { store(output(b, 0).at + column, floatAttribute(b, 0) * sum); }
}
