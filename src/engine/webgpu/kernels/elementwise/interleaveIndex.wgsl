// Y[b, f] = index[b, f]·count + group[b]; MISSING where the index or the group is. One thread computes one index.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i >= y.rows * y.cols) { return; }
  let index = word(input(b, 0).at + i);
  let groupOfRow = word(input(b, 1).at + i / y.cols);
  let isMissing = index == MISSING || groupOfRow == MISSING;
  setWord(y.at + i, select(index * intAttribute(b, 0) + groupOfRow, MISSING, isMissing));
}
