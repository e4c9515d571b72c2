// Y = Σ_k c_k·X_k, entry by entry, in the order of the tensors; the row c is input 0. One thread computes one value of Y, which may be X_0.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  let coefficients = input(b, 0);
  var sum = scalar(coefficients.at) * load(input(b, 1).at / WIDTH + i);
  for (var k = 1u; k < coefficients.cols; k++) {
    sum += scalar(coefficients.at + k) * load(input(b, k + 1u).at / WIDTH + i);
  }
  store(y.at / WIDTH + i, sum);
}
