// dX[i] = Y[i] ⊙ (G[i] − ⟨G[i], Y[i]⟩).
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let r = gradientRow(b, thread);
  for (var k = thread % LANES; k < r.count; k += LANES) { store(r.dx + k, load(r.y + k) * (load(r.g + k) - r.dot)); }
}
