// One Adam step with L2 added to the gradient, and the copy of the best parameters, in one pass. The op has the formula. One thread
// computes one value of p, m, v and, if the flag is 1, best. Flag below 0: nothing changes.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let p = input(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= p.rows * p.cols) { return; }
  let flag = scalar(input(b, 4).at);
  if (flag < 0.0) { return; }
  let schedule = input(b, 5).at;
  let mAt = input(b, 2).at / WIDTH + i;
  let vAt = input(b, 3).at / WIDTH + i;
  let old = load(p.at / WIDTH + i);
  if (flag > 0.0 && intAttribute(b, 6) != 0u) { store(input(b, 6).at / WIDTH + i, old); }
  let g = load(input(b, 1).at / WIDTH + i) + floatAttribute(b, 5) * old;
  let m = floatAttribute(b, 0) * load(mAt) + floatAttribute(b, 1) * g;
  let v = floatAttribute(b, 2) * load(vAt) + floatAttribute(b, 3) * g * g;
  store(mAt, m);
  store(vAt, v);
  let step = scalar(schedule) / scalar(schedule + 1u) * m;
  store(p.at / WIDTH + i, old - step / (sqrt(v / scalar(schedule + 2u)) + floatAttribute(b, 4)));
}
