// Running minimum of the loss. `best` is the value and k, which is 0 while there is none, otherwise 1 + the steps since it. The flag is 1
// for a new minimum, 0 otherwise, −1 if the loss is not finite, −2 if `patience` steps have passed since the minimum (the largest word:
// no limit). One thread computes everything.
@compute @workgroup_size(1)
fn run(@builtin(workgroup_id) group: vec3<u32>) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let flag = output(b, 0).at;
  let patience = intAttribute(b, 0);
  let loss = load(input(b, 0).at);
  let best = input(b, 1).at;
  let count = load(best + 1u);
  if (patience != 0xffffffffu && count >= 1.0 && count - 1.0 >= f32(patience)) {
    store(flag, -2.0);
  } else if (!isFinite(loss)) {
    store(flag, -1.0);
  } else if (count == 0.0 || loss < load(best)) {
    store(best, loss);
    store(best + 1u, 1.0);
    store(flag, 1.0);
  } else {
    store(best + 1u, count + 1.0);
    store(flag, 0.0);
  }
}
