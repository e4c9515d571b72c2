// Every row of Y is s times the row. One thread computes one value.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  store(y.at / WIDTH + i, floatAttribute(b, 0) * load(input(b, 0).at / WIDTH + i % (y.cols / WIDTH)));
}
