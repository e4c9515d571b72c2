// Y[i] = exp(X[i] − max) / Σ exp(X[i] − max). LANES threads share a row; each reads its values of X before it writes Y, which may be X.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let own = laneRow(input(b, 0), b, thread);
  let xAt = rowAt(input(b, 0), own.row);
  let yAt = rowAt(output(b, 0), own.row);
  let found = softmaxOf(xAt, own.count, thread);
  for (var k = thread % LANES; k < own.count; k += LANES) {
    store(yAt + k, exponential(load(xAt + k) - found.largest) / (1.0 + found.others));
  }
}
