// y = x where x > 0, otherwise a·x. One thread computes one value. NaN stays NaN.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  let x = load(input(b, 0).at / WIDTH + i);
  store(y.at / WIDTH + i, select(scalar(input(b, 1).at) * x, x, x > Value(0.0)));
}
