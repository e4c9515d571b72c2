// y_i = ⟨A[i], B[i]⟩. LANES threads share a row; their sums are added by a tree.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let own = laneRow(input(b, 0), b, thread);
  let left = rowAt(input(b, 0), own.row);
  let right = rowAt(input(b, 1), own.row);
  var sum = 0.0;
  for (var k = thread % LANES; k < own.count; k += LANES) { sum += load(left + k) * load(right + k); }
  let dot = sumOver(LANES, thread, sum);
  if (own.row < input(b, 0).rows && thread % LANES == 0u) { store(output(b, 0).at + own.row, dot); }
}
