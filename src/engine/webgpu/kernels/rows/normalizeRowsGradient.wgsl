// dX[i] = s_i·(G[i] − ⟨G[i], Y[i]⟩·Y[i]); with clip, dX[i] = G[i] where s_i = 1.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let r = gradientRow(b, thread);
  if (r.count == 0u) { return; }
  let s = scalar(input(b, 2).at + r.row);
  let along = select(r.dot, 0.0, intAttribute(b, 0) != 0u && s == 1.0);
  for (var k = thread % LANES; k < r.count; k += LANES) { store(r.dx + k, s * (load(r.g + k) - along * load(r.y + k))); }
}
