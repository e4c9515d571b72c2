// Y[:, start : start + cols of X] = X, the other columns of Y are 0. One thread writes one value.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let x = input(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  let row = i / (y.cols / WIDTH);
  // wraps around left of the columns of X
  let column = i % (y.cols / WIDTH) - intAttribute(b, 0) / WIDTH;
  var value = Value(0.0);
  if (column < x.cols / WIDTH) { value = load(x.at / WIDTH + row * (x.cols / WIDTH) + column); }
  store(y.at / WIDTH + i, value);
}
