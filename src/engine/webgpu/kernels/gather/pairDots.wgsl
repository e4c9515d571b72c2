// Z[b, f] = Σ_k X[left_b, k]·R[relation_b, k]·X[right_bf, k], P[b, f] = ⟨X[left_b], X[right_bf]⟩; 0 where an index is MISSING.
// A workgroup computes 256 / LANES entries of each (included/dots.wgsl).
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let z = output(b, 0);
  let table = input(b, 0);
  let units = table.cols / WIDTH;
  let e = b.index * DOTS + thread / LANES;
  var weighted = Value(0.0);
  var plain = Value(0.0);
  if (e < z.rows * z.cols) {
    let i = word(input(b, 2).at + e / z.cols);
    let d = word(input(b, 3).at + e / z.cols);
    let j = word(input(b, 4).at + e);
    if (i != MISSING && d != MISSING && j != MISSING) {
      let x = table.at / WIDTH + i * units;
      let r = input(b, 1).at / WIDTH + d * units;
      let y = table.at / WIDTH + j * units;
      for (var u = thread % LANES; u < units; u += LANES) {
        let product = load(x + u) * load(y + u);
        weighted += product * load(r + u);
        plain += product;
      }
    }
  }
  storeTeamSums(z, b.index * DOTS, total(weighted), thread);
  storeTeamSums(output(b, 1), b.index * DOTS, total(plain), thread);
}
