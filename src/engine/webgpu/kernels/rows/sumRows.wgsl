// y = s·Σ_i X[i], in blocks of rows; then the blocks in order.
//
// run: a workgroup of 256 threads sums ROWS rows of TILE columns: thread t adds rows t / TILE, t / TILE + 256 / TILE, … of column
// t mod TILE, then the threads of a column are added by a tree. Partial sums: [blocks of rows, cols] in the scratch space.
// finish: one thread adds the blocks of one column.

const PER_COLUMN = 256u / TILE;
var<workgroup> parts: array<f32, 256>;

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let x = input(b, 0);
  let tiles = (x.cols + TILE - 1u) / TILE;
  let rowBlock = b.index / tiles;
  let column = (b.index % tiles) * TILE + thread % TILE;
  let end = min(x.rows, (rowBlock + 1u) * ROWS);
  var sum = 0.0;
  if (column < x.cols) {
    for (var i = rowBlock * ROWS + thread / TILE; i < end; i += PER_COLUMN) { sum += load(x.at + i * x.cols + column); }
  }
  parts[thread] = sum;
  for (var half = limit(PER_COLUMN / 2u); half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half * TILE) { parts[thread] += parts[thread + half * TILE]; }
  }
  if (thread < TILE && column < x.cols) { store(floatScratch(b) + rowBlock * x.cols + column, parts[thread]); }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let x = input(b, 0);
  let column = b.index * 256u + thread;
  if (b.isIdle || column >= x.cols) { return; }
  var sum = 0.0;
  for (var k = 0u; k * ROWS < x.rows; k++) { sum += load(floatScratch(b) + k * x.cols + column); }
  store(output(b, 0).at + column, floatAttribute(b, 0) * sum);
}
