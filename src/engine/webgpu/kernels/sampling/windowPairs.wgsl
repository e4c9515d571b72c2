// Pairs of nodes at most `window` places apart on walks [w, length]; the op has their order. One thread computes one pair. Both ends are
// MISSING if a node is, or if the pair lies outside of the window that its first place draws. Attributes: window, whether one is drawn.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let left = output(b, 0);
  let pair = b.index * 256u + thread;
  if (b.isIdle || pair >= left.rows) { return; }
  let walks = input(b, 0);
  let window = intAttribute(b, 0);
  let perWalk = left.rows / walks.rows;
  let walk = pair / perWalk;
  // the last place whose pairs do not begin after this one; every place has at least one
  let inWalk = pair % perWalk;
  var i = 0u;
  var end = walks.cols;
  while (end - i > 1u) {
    let middle = (i + end) / 2u;
    if (pairsBefore(middle, walks.cols, window) <= inWalk) { i = middle; } else { end = middle; }
  }
  var j = i - min(i, window) + inWalk - pairsBefore(i, walks.cols, window);
  if (j >= i) { j++; }
  let place = walk * walks.cols + i;
  var reach = window;
  if (intAttribute(b, 1) != 0u) {
    let key = input(b, 1).at;
    reach -= below(philox(vec2<u32>(word(key), word(key + 1u)), place / 4u, 0u, 0u)[place % 4u], window);
  }
  let first = word(walks.at + place);
  let second = word(walks.at + walk * walks.cols + j);
  let isPair = max(i, j) - min(i, j) <= reach && first != MISSING && second != MISSING;
  setWord(left.at + pair, select(MISSING, first, isPair));
  setWord(output(b, 1).at + pair, select(MISSING, second, isPair));
}

// Pairs of the places before place i of a walk: each has partners before it and after it.
fn pairsBefore(i: u32, length: u32, window: u32) -> u32 {
  return boundedSum(i, window) + boundedSum(length, window) - boundedSum(length - i, window);
}

// Σ_{t=0}^{n−1} min(t, bound)
fn boundedSum(n: u32, bound: u32) -> u32 {
  if (n <= bound) { return n * (max(n, 1u) - 1u) / 2u; }
  return bound * (bound + 1u) / 2u + (n - bound - 1u) * bound;
}
