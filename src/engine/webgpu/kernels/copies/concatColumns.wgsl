// Y = [X_1 | X_2 | …]. One thread writes one value or index.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * UNIT >= y.rows * y.cols) { return; }
  let row = i / (y.cols / UNIT);
  var column = i % (y.cols / UNIT);
  var k = 0u;
  while (column >= input(b, k).cols / UNIT) {
    column -= input(b, k).cols / UNIT;
    k++;
  }
  let x = input(b, k);
  copyEntry(y.at / UNIT + i, x.at / UNIT + row * (x.cols / UNIT) + column);
}
