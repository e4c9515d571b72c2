// dx = g where x > 0, otherwise a·g. One thread computes one value.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let dx = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= dx.rows * dx.cols) { return; }
  let g = load(input(b, 0).at / WIDTH + i);
  let x = load(input(b, 1).at / WIDTH + i);
  store(dx.at / WIDTH + i, select(scalar(input(b, 2).at) * g, g, x > Value(0.0)));
}
