// Draws from the alias table of the row's group: slots start_g … start_{g+1} − 1 of [slots, 3] (coin, own node, other node); the op has
// the words. One thread computes draws 2i and 2i + 1. A MISSING group or an empty table gives MISSING.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let nodes = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || 2u * i >= nodes.rows * nodes.cols) { return; }
  let key = input(b, 0).at;
  let random = philox(vec2<u32>(word(key), word(key + 1u)), i, 0u, 0u);
  setWord(nodes.at + 2u * i, draw(b, 2u * i / nodes.cols, random.x, random.y));
  if (2u * i + 1u < nodes.rows * nodes.cols) {
    setWord(nodes.at + 2u * i + 1u, draw(b, (2u * i + 1u) / nodes.cols, random.z, random.w));
  }
}

fn draw(b: Block, row: u32, slotWord: u32, coin: u32) -> u32 {
  let g = word(input(b, 3).at + row);
  if (g == MISSING) { return MISSING; }
  let first = word(input(b, 2).at + g);
  let slots = word(input(b, 2).at + g + 1u) - first;
  if (slots == 0u) { return MISSING; }
  let slot = input(b, 1).at + 3u * (first + below(slotWord, slots));
  return word(slot + select(2u, 1u, falls(coin, word(slot))));
}
