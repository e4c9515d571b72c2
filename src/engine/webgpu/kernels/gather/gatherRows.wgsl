// Y[b] = X[index_b]; a row of zeros where the index is MISSING. One thread computes one value, so neighbouring threads read neighbouring
// values of one row.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  let units = y.cols / WIDTH;
  let row = word(input(b, 1).at + i / units);
  var value = Value(0.0);
  if (row != MISSING) { value = load(input(b, 0).at / WIDTH + row * units + i % units); }
  store(y.at / WIDTH + i, value);
}
