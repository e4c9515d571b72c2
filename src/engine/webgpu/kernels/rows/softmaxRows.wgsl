// Y[i] = exp(X[i] − max) / Σ exp(X[i] − max). LANES threads share a row; each reads its values of X before it writes Y, which may be X.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let x = input(b, 0);
  let row = b.index * (256u / LANES) + thread / LANES;
  let width = x.cols / WIDTH;
  let count = select(0u, width, row < x.rows);

  let xAt = x.at / WIDTH + row * width;
  let yAt = output(b, 0).at / WIDTH + row * width;
  let found = softmaxOf(xAt, count, thread);
  for (var k = thread % LANES; k < count; k += LANES) {
    store(yAt + k, exponential(load(xAt + k) - found.largest) / (1.0 + found.others));
  }
}
