// y_i = ⟨A[i], B[i]⟩. LANES threads share a row; their sums are added by a tree.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let left = input(b, 0);
  let row = b.index * (256u / LANES) + thread / LANES;
  let width = left.cols;
  let count = select(0u, width, row < left.rows);

  let right = input(b, 1);
  var sum = 0.0;
  for (var k = thread % LANES; k < count; k += LANES) {
    sum += load(left.at + row * width + k) * load(right.at + row * width + k);
  }
  let dot = sumOver(LANES, thread, sum);
  if (row < left.rows && thread % LANES == 0u) { store(output(b, 0).at + row, dot); }
}
