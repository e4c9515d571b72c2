// Y[i] = s_i·X[i]. One thread computes one value of Y, which may be X.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  let factor = scalar(input(b, 1).at + i / (y.cols / WIDTH));
  store(y.at / WIDTH + i, factor * load(input(b, 0).at / WIDTH + i));
}
