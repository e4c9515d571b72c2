// dℓ[i] = s·g·(softmax(ℓ[i])·Σ_k t_ik − t[i]). LANES threads share a row; each reads its values of ℓ before it writes dℓ, which may be ℓ.
// For the largest logit of a row, p_k·Σ_j t_j − t_k is written p_k·(Σ_j t_j − t_k) − t_k·(1 − p_k), which keeps the digits of 1 − p_k.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let own = laneRow(input(b, 0), b, thread);
  let at = rowAt(input(b, 0), own.row);
  let targetsAt = rowAt(input(b, 1), own.row);
  let outAt = rowAt(output(b, 0), own.row);
  let found = softmaxOf(at, own.count, thread);
  var sum = Value(0.0);
  for (var k = thread % LANES; k < own.count; k += LANES) { sum += load(targetsAt + k); }
  let targets = sumOver(LANES, thread, total(sum));
  let whole = 1.0 + found.others;
  let s = floatAttribute(b, 0) * scalar(input(b, 2).at);
  for (var k = thread % LANES; k < own.count; k += LANES) {
    let l = load(at + k);
    let t = load(targetsAt + k);
    let p = exponential(l - found.largest) / whole;
    let slope = select(targets * p - t, p * (targets - t) - t * (found.others / whole), l == Value(found.largest));
    store(outAt + k, s * slope);
  }
}
