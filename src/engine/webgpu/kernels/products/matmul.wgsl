// C = A·B, or A·Bᵀ if the attribute is 1. A workgroup computes a tile of 64 × 64 entries (included/tile.wgsl).

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let c = output(b, 0);
  let a = input(b, 0);
  let factor = input(b, 1);
  let isTransposed = intAttribute(b, 0) == 1u;
  let tiles = (c.cols + 63u) / 64u;
  let row = b.index / tiles * 64u;
  let column = b.index % tiles * 64u;
  var sums = array<vec4<f32>, 4>();
  for (var k = 0u; k < a.cols; k += STEP) {
    loadAcross(true, a, row, k, a.rows, thread);
    if (isTransposed) { loadAcross(false, factor, column, k, factor.rows, thread); }
    else { loadAlong(false, factor, k, column, factor.rows, thread); }
    workgroupBarrier();
    addStep(&sums, thread);
    workgroupBarrier();
  }
  let j = column + 4u * (thread % 16u);
  for (var i = 0u; i < limit(4u); i++) {
    let r = row + 4u * (thread / 16u) + i;
    if (r < c.rows && j < c.cols) { storeRow(c.at + r * c.cols + j, sums[i], c.cols - j); }
  }
}
