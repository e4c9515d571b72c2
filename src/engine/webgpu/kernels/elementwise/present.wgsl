// y = 0 where the index is MISSING, otherwise 1. One thread computes four floats.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  let at = input(b, 0).at + 4u * i;
  let index = vec4<u32>(word(at), word(at + 1u), word(at + 2u), word(at + 3u));
  store(y.at / WIDTH + i, select(Value(1.0), Value(0.0), index == vec4<u32>(MISSING)));
}
