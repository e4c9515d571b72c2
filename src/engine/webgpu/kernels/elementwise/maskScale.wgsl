// y = s·x where the mask's bit is set, otherwise 0. One thread computes one value of y, which may be x. Entry e is bit e mod 32 of the
// mask's word e / 32.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  let bits = vec4<u32>(word(input(b, 1).at + i / 8u) >> (4u * (i % 8u)));
  let kept = (bits & vec4<u32>(1u, 2u, 4u, 8u)) != vec4<u32>(0u);
  store(y.at / WIDTH + i, select(Value(0.0), floatAttribute(b, 0) * load(input(b, 0).at / WIDTH + i), kept));
}
