// y = max(x, 0), and a mask with one bit per entry, set where x > 0. One thread computes four floats of y, which may be x. NaN stays NaN;
// signs are found from the bits, because compilers may assume that floats are finite.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let y = output(b, 0);
  let size = y.rows * y.cols;
  let i = b.index * 256u + thread;
  var isPositive = vec4<bool>(false);
  if (4u * i < size) {
    let x = load(input(b, 0).at / WIDTH + i);
    let bits = bitcast<vec4<u32>>(x);
    isPositive = bits - vec4<u32>(1u) < vec4<u32>(0x7f800000u);
    let isNegative = bits - vec4<u32>(0x80000000u) <= vec4<u32>(0x7f800000u);
    store(y.at / WIDTH + i, select(x, Value(0.0), isNegative));
  }
  storeMask(output(b, 1).at, size, b.index, thread, isPositive);
}
