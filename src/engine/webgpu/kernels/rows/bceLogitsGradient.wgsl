// dℓ = s·g·w_i·(sigmoid(ℓ) − t), without weights w = 1. One thread computes one value of dℓ, which may be ℓ.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let out = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= out.rows * out.cols) { return; }
  var factor = Value(floatAttribute(b, 0) * scalar(input(b, 2).at));
  if (intAttribute(b, 1) != 0u) { factor *= rowWeights(input(b, 3).at, 4u * i, out.cols); }
  let slope = sigmoid(load(input(b, 0).at / WIDTH + i)) - load(input(b, 1).at / WIDTH + i);
  store(out.at / WIDTH + i, factor * slope);
}
