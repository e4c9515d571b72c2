// target ← value. One thread copies one value.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let parameter = input(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= parameter.rows * parameter.cols) { return; }
  store(parameter.at / WIDTH + i, load(input(b, 1).at / WIDTH + i));
}
