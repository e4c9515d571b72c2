// Draws from an alias table [slots, 3] (coin, own node, other node); the op has the words. One thread computes draws 2i and 2i + 1. An
// empty table gives MISSING.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let nodes = output(b, 0);
  let i = b.index * 256u + thread;
  if (b.isIdle || 2u * i >= nodes.rows * nodes.cols) { return; }
  let key = input(b, 0).at;
  let table = input(b, 1);
  let random = philox(vec2<u32>(word(key), word(key + 1u)), i, 0u, 0u);
  setWord(nodes.at + 2u * i, draw(table, random.x, random.y));
  if (2u * i + 1u < nodes.rows * nodes.cols) { setWord(nodes.at + 2u * i + 1u, draw(table, random.z, random.w)); }
}

fn draw(table: Tensor, slotWord: u32, coin: u32) -> u32 {
  if (table.rows == 0u) { return MISSING; }
  let slot = table.at + 3u * below(slotWord, table.rows);
  return word(slot + select(2u, 1u, falls(coin, word(slot))));
}
