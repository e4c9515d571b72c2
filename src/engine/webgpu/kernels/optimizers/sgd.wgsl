// One step of gradient descent with L2 added to the gradient, and the copy of the best parameters, in one pass. The op has the formula.
// One thread computes one value of p, u if there is momentum, and, if the flag is 1, best. Flag below 0: nothing changes.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let p = input(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= p.rows * p.cols) { return; }
  let flag = scalar(input(b, 2).at);
  if (flag < 0.0) { return; }
  let momentum = floatAttribute(b, 0);
  let old = load(p.at / WIDTH + i);
  if (flag > 0.0 && intAttribute(b, 2) != 0u) {
    store(input(b, select(5u, 4u, momentum == 0.0)).at / WIDTH + i, old);
  }
  var step = load(input(b, 1).at / WIDTH + i) + floatAttribute(b, 1) * old;
  if (momentum != 0.0) {
    let uAt = input(b, 4).at / WIDTH + i;
    step += momentum * load(uAt);
    store(uAt, step);
  }
  store(p.at / WIDTH + i, old - scalar(input(b, 3).at) * step);
}
