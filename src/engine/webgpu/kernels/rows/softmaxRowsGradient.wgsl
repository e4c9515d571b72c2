// dX[i] = Y[i] ⊙ (G[i] − ⟨G[i], Y[i]⟩). LANES threads share a row; each reads its values of G before it writes dX, which may be G.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let g = input(b, 0);
  let row = b.index * (256u / LANES) + thread / LANES;
  let width = g.cols / WIDTH;
  let count = select(0u, width, row < g.rows);

  let gAt = g.at / WIDTH + row * width;
  let yAt = input(b, 1).at / WIDTH + row * width;
  let dxAt = output(b, 0).at / WIDTH + row * width;
  var sum = Value(0.0);
  for (var k = thread % LANES; k < count; k += LANES) { sum += load(gAt + k) * load(yAt + k); }
  let dot = sumOver(LANES, thread, total(sum));
  for (var k = thread % LANES; k < count; k += LANES) { store(dxAt + k, load(yAt + k) * (load(gAt + k) - dot)); }
}
