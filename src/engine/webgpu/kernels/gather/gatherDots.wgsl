// Z[b, f] = ⟨X[left_b], Y[right_bf]⟩; 0 where an index is MISSING. A workgroup computes 256 / LANES entries (included/dots.wgsl).
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let z = output(b, 0);
  let units = input(b, 0).cols / WIDTH;
  let e = b.index * DOTS + thread / LANES;
  var sum = Value(0.0);
  if (e < z.rows * z.cols) {
    let i = word(input(b, 2).at + e / z.cols);
    let j = word(input(b, 3).at + e);
    if (i != MISSING && j != MISSING) {
      let x = input(b, 0).at / WIDTH + i * units;
      let y = input(b, 1).at / WIDTH + j * units;
      for (var u = thread % LANES; u < units; u += LANES) { sum += load(x + u) * load(y + u); }
    }
  }
  storeTeamSums(z, b.index * DOTS, total(sum), thread);
}
