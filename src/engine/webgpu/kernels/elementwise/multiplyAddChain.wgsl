// u is the first and v the second half of x; `count` times u ← u + a·v, v ← v − a·u. An odd last entry is copied. One thread computes four
// pairs, 256 apart, so that their multiply-adds do not wait for each other.

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let x = input(b, 0);
  let y = output(b, 0).at;
  let size = x.rows * x.cols;
  let half = size / 2u;
  let first = b.index * 1024u + thread;
  var u = vec4<f32>(0.0);
  var v = vec4<f32>(0.0);
  for (var k = 0u; k < 4u; k++) {
    let i = first + 256u * k;
    if (i < half) {
      u[k] = load(x.at + i);
      v[k] = load(x.at + half + i);
    }
  }
  let a = floatAttribute(b, 1);
  let count = intAttribute(b, 0);
  var c = 0u;
  // eight steps at a time, so that counting costs little
  for (; c + 8u <= count; c += 8u) {
    for (var k = 0u; k < 8u; k++) {
      u = fma(vec4<f32>(a), v, u);
      v = fma(vec4<f32>(-a), u, v);
    }
  }
  for (; c < count; c++) {
    u = fma(vec4<f32>(a), v, u);
    v = fma(vec4<f32>(-a), u, v);
  }
  for (var k = 0u; k < 4u; k++) {
    let i = first + 256u * k;
    if (i < half) {
      store(y + i, u[k]);
      store(y + half + i, v[k]);
    }
  }
  if (b.index == 0u && thread == 0u && size % 2u == 1u) { store(y + size - 1u, load(x.at + size - 1u)); }
}
