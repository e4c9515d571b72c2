// Y[i] = s_i·X[i] with s_i = 1/‖X[i]‖, 0 for a row of zeros; with clip s_i = 1/max(1, ‖X[i]‖). LANES threads share a row. NaN stays NaN:
// the sum of squares is compared by its bits, because compilers may assume that floats are finite.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let x = input(b, 0);
  let row = b.index * (256u / LANES) + thread / LANES;
  let width = x.cols;
  let count = select(0u, width, row < x.rows);

  let at = row * width;
  var sum = 0.0;
  for (var k = thread % LANES; k < count; k += LANES) {
    let value = load(x.at + at + k);
    sum += value * value;
  }
  let square = sumOver(LANES, thread, sum);
  let clip = intAttribute(b, 0) != 0u;
  let bits = bitcast<u32>(square);
  var s = inverseSqrt(square);
  if (clip && bits <= bitcast<u32>(1.0)) { s = 1.0; }
  if (!clip && bits == 0u) { s = 0.0; }
  for (var k = thread % LANES; k < count; k += LANES) { store(output(b, 0).at + at + k, s * load(x.at + at + k)); }
  if (row < x.rows && thread % LANES == 0u) { store(output(b, 1).at + row, s); }
}
