// L = Σ p_ij·log p_ij + e·Σ p_ij·log(1 + |y_i − y_j|²) + log Z, Z = Σ_{i≠j} 1/(1 + |y_i − y_j|²). θ is not used: all pairs are compared.
//
// run: a workgroup sums the shares of Z of 256 points and one part of the points (included/repulsion.wgsl). attract: a workgroup sums the
// entries of P of 16 points, 16 threads per point. finish: both sums, one workgroup. Fewer than two points: log Z is left out.
//
// Scratch: shares of Z [workgroups of run], shares of the attraction [workgroups of attract].

fn numShares(n: u32) -> u32 { return (n + 255u) / 256u * CHUNKS; }

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let y = input(b, 0);
  let i = b.index / CHUNKS * 256u + thread;
  let force = repel(y, i, b.index % CHUNKS, thread);
  let share = sumGroups(vec4(select(0.0, force.z, i < y.rows)), thread, 256u);
  if (thread == 0u) { store(floatScratch(b) + b.index, share.x); }
}

@compute @workgroup_size(256)
fn attract(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let y = input(b, 0);
  let p = matrixAt(intAttribute(b, 0));
  let i = b.index * 16u + thread / 16u;
  var pull = 0.0;
  if (i < y.rows) {
    let own = pointAt(y, i);
    let end = word(p.rowStart + i + 1u);
    for (var e = word(p.rowStart + i) + thread % 16u; e < end; e += 16u) {
      let away = own - pointAt(y, word(p.columns + e));
      pull += load(p.weights + e) * log(1.0 + dot(away, away));
    }
  }
  let share = sumGroups(vec4(pull), thread, 256u);
  if (thread == 0u) { store(floatScratch(b) + numShares(y.rows) + b.index, share.x); }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let n = input(b, 0).rows;
  let z = sumFloats(floatScratch(b), numShares(n), thread);
  let pull = sumFloats(floatScratch(b) + numShares(n), (n + 15u) / 16u, thread);
  if (thread != 0u) { return; }
  var loss = floatAttribute(b, 2) + load(input(b, 1).at) * pull;
  if (z > 0.0) { loss += log(z); }
  store(output(b, 0).at, loss);
}
