// Y[i] = s_i·X[i] with s_i = 1/‖X[i]‖, 0 for a row of zeros; with clip s_i = 1/max(1, ‖X[i]‖). LANES threads share a row. NaN stays NaN:
// the sum of squares is compared by its bits, because compilers may assume that floats are finite.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let own = laneRow(input(b, 0), b, thread);
  let xAt = rowAt(input(b, 0), own.row);
  let yAt = rowAt(output(b, 0), own.row);
  var sum = 0.0;
  for (var k = thread % LANES; k < own.count; k += LANES) {
    let value = load(xAt + k);
    sum += value * value;
  }
  let square = sumOver(LANES, thread, sum);
  let clip = intAttribute(b, 0) != 0u;
  let bits = bitcast<u32>(square);
  var s = inverseSqrt(square);
  if (clip && bits <= bitcast<u32>(1.0)) { s = 1.0; }
  if (!clip && bits == 0u) { s = 0.0; }
  for (var k = thread % LANES; k < own.count; k += LANES) { store(yAt + k, s * load(xAt + k)); }
  if (own.row < input(b, 0).rows && thread % LANES == 0u) { store(output(b, 1).at + own.row, s); }
}
