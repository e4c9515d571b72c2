// dX[i] = s_i·(G[i] − ⟨G[i], Y[i]⟩·Y[i]); with clip, dX[i] = G[i] where s_i = 1. LANES threads share a row; each reads its values of G
// before it writes dX, which may be G.
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
  var along = sumOver(LANES, thread, total(sum));
  if (row >= g.rows) { return; }
  let s = scalar(input(b, 2).at + row);
  if (intAttribute(b, 0) != 0u && s == 1.0) { along = 0.0; }
  for (var k = thread % LANES; k < count; k += LANES) { store(dxAt + k, s * (load(gAt + k) - along * load(yAt + k))); }
}
