// Y = ((A + B) + C) + …, entry by entry, in the order of the inputs. One thread computes one value.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= y.rows * y.cols) { return; }
  var sum = load(input(b, 0).at / WIDTH + i);
  for (var k = 1u; k < intAttribute(b, 0); k++) { sum += load(input(b, k).at / WIDTH + i); }
  store(y.at / WIDTH + i, sum);
}
