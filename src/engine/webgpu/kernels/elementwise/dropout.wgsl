// Keeps entry e if word e mod 4 of Philox(counter first + e/4, key) ≥ threshold and multiplies it by s; the other entries become 0. One
// thread computes four floats. The mask's bits are set where entries are kept.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let y = output(b, 0);
  let size = y.rows * y.cols;
  let i = b.index * 256u + thread;
  var isKept = vec4<bool>(false);
  if (4u * i < size) {
    let key = input(b, 1).at;
    let random = philox(vec2<u32>(word(key), word(key + 1u)), intAttribute(b, 2) + i, 0u, 0u);
    isKept = random >= vec4<u32>(intAttribute(b, 0));
    store(y.at / WIDTH + i, select(Value(0.0), floatAttribute(b, 1) * load(input(b, 0).at / WIDTH + i), isKept));
  }
  storeMask(output(b, 1).at, size, b.index, thread, isKept);
}
