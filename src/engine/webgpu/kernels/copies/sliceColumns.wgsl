// Y = X[:, start : start + cols of Y]. One thread copies one value or index.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let x = input(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * UNIT >= y.rows * y.cols) { return; }
  let width = y.cols / UNIT;
  copyEntry(y.at / UNIT + i, (x.at + intAttribute(b, 0)) / UNIT + i / width * (x.cols / UNIT) + i % width);
}
