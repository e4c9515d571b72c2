// dx = 2·s·g·(x − c), without a centre c = 0. One thread computes one value.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let dx = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= dx.rows * dx.cols) { return; }
  var difference = load(input(b, 1).at / WIDTH + i);
  if (intAttribute(b, 1) != 0u) { difference -= load(input(b, 2).at / WIDTH + i); }
  store(dx.at / WIDTH + i, 2.0 * floatAttribute(b, 0) * scalar(input(b, 0).at) * difference);
}
