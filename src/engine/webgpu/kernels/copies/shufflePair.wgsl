// Y[2i] = X[i], Y[2i+1] = X[π(i)]. One thread copies one value.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  let width = y.cols / WIDTH;
  let row = i / width;
  var source = row / 2u;
  if (row % 2u == 1u) { source = word(input(b, 1).at + source); }
  store(y.at / WIDTH + i, load(input(b, 0).at / WIDTH + source * width + i % width));
}
