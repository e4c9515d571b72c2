// dy_i = 4·s·(e·Σ_j p_ij·q_ij·(y_i − y_j) − Σ_{j≠i} q_ij²·(y_i − y_j) / Z), q = 1/(1 + |y_i − y_j|²), Z = Σ_{i≠j} q_ij. θ is not used: all
// pairs are compared.
//
// run: a workgroup computes the repulsion of 256 points by one part of the points (included/repulsion.wgsl), and its share of Z.
// normalize: Z, one workgroup. finish: 16 threads per point add the entries t, t + 16, … of its row of P and the parts of the repulsion;
// a tree adds the threads. A single point: Z = 0, nothing repels. An empty row of P: no attraction.
//
// Scratch: forces [CHUNKS, n, 2], shares of Z [workgroups], Z.

fn sharesAt(b: Block, n: u32) -> u32 { return floatScratch(b) + 2u * CHUNKS * n; }
fn numShares(n: u32) -> u32 { return (n + 255u) / 256u * CHUNKS; }

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let y = input(b, 0);
  let chunk = b.index % CHUNKS;
  let i = b.index / CHUNKS * 256u + thread;
  let force = repel(y, i, chunk, thread);
  if (i < y.rows) {
    let at = floatScratch(b) + 2u * (chunk * y.rows + i);
    store(at, force.x);
    store(at + 1u, force.y);
  }
  let share = sumGroups(vec4(select(0.0, force.z, i < y.rows)), thread, 256u);
  if (thread == 0u) { store(sharesAt(b, y.rows) + b.index, share.x); }
}

@compute @workgroup_size(256)
fn normalize(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let n = input(b, 0).rows;
  let z = sumFloats(sharesAt(b, n), numShares(n), thread);
  if (thread == 0u) { store(sharesAt(b, n) + numShares(n), z); }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let y = input(b, 0);
  let p = matrixAt(intAttribute(b, 0));
  let i = b.index * 16u + thread / 16u;
  var pull = vec2(0.0);
  var push = vec2(0.0);
  if (i < y.rows) {
    let own = pointAt(y, i);
    let end = word(p.rowStart + i + 1u);
    for (var e = word(p.rowStart + i) + thread % 16u; e < end; e += 16u) {
      let away = own - pointAt(y, word(p.columns + e));
      pull += load(p.weights + e) / (1.0 + dot(away, away)) * away;
    }
    for (var chunk = thread % 16u; chunk < CHUNKS; chunk += 16u) {
      let at = floatScratch(b) + 2u * (chunk * y.rows + i);
      push += vec2(load(at), load(at + 1u));
    }
  }
  let all = sumGroups(vec4(pull, push), thread, 16u);
  if (thread % 16u != 0u || i >= y.rows) { return; }
  let z = load(sharesAt(b, y.rows) + numShares(y.rows));
  let scale = 4.0 * load(input(b, 2).at);
  let dy = scale * load(input(b, 1).at) * all.xy - select(0.0, scale / z, z > 0.0) * all.zw;
  let at = output(b, 0).at + 2u * i;
  store(at, dy.x);
  store(at + 1u, dy.y);
}
