// dX[j] = G[2j] + G[2·π⁻¹(j)+1]; with `direct` the index holds the number of the second row itself. One thread computes one value.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let dx = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= dx.rows * dx.cols) { return; }
  let width = dx.cols / WIDTH;
  let j = i / width;
  let index = word(input(b, 1).at + j);
  let shuffled = select(2u * index + 1u, index, intAttribute(b, 0) != 0u);
  let g = input(b, 0).at / WIDTH + i % width;
  store(dx.at / WIDTH + i, load(g + 2u * j * width) + load(g + shuffled * width));
}
