// Pairs that a matrix does not store, one from each stratum of their numbers; the op has the numbering. One thread computes draws 2i and
// 2i + 1. An empty stratum gives MISSING.

struct Strata { m: Matrix, draws: u32, free: Wide, shift: Wide, quotient: Wide, rest: u32 }

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let draws = output(b, 0).rows;
  let i = b.index * 256u + thread;
  if (b.isIdle || 2u * i >= draws) { return; }
  let key = vec2<u32>(word(input(b, 0).at), word(input(b, 0).at + 1u));
  let m = matrixAt(intAttribute(b, 0));
  let free = wideDifference(wideProduct(m.numRows, m.numRows - 1u), Wide(m.numEntries, 0u));
  var shift = Wide(0u);
  if (free.x != 0u || free.y != 0u) {
    let random = philox(key, 0u, 1u, 0u);
    shift = wideBelow(random.x, random.y, free);
  }
  let divided = wideDivide(free, draws);
  let s = Strata(m, draws, free, shift, divided.quotient, divided.rest);
  let random = philox(key, i, 0u, 0u);
  draw(b, s, 2u * i, random.xy);
  if (2u * i + 1u < draws) { draw(b, s, 2u * i + 1u, random.zw); }
}

fn draw(b: Block, s: Strata, e: u32, random: vec2<u32>) {
  var pair = vec2<u32>(MISSING);
  let first = startOf(s, e);
  let width = wideDifference(startOf(s, e + 1u), first);
  if (width.x != 0u || width.y != 0u) {
    var number = wideSum(wideSum(first, wideBelow(random.x, random.y, width)), s.shift);
    if (!isLess(number, s.free)) { number = wideDifference(number, s.free); }
    let row = rowOf(s.m, number);
    pair = vec2<u32>(row, columnOf(s.m, row, wideDifference(number, freeBefore(s.m, row)).x));
  }
  setWord(output(b, 0).at + e, pair.x);
  setWord(output(b, 1).at + e, pair.y);
}

// The first number of stratum e.
fn startOf(s: Strata, e: u32) -> Wide {
  return wideSum(wideTimes(s.quotient, e), wideDivide(wideProduct(e, s.rest), s.draws).quotient);
}

// Free pairs in the rows before row i.
fn freeBefore(m: Matrix, i: u32) -> Wide {
  return wideDifference(wideProduct(i, m.numRows - 1u), Wide(word(m.rowStart + i), 0u));
}

// The first row whose free pairs end after the number.
fn rowOf(m: Matrix, number: Wide) -> u32 {
  var low = 0u;
  var high = m.numRows - 1u;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (isLess(number, freeBefore(m, middle + 1u))) { high = middle; } else { low = middle + 1u; }
  }
  return low;
}

// The k-th column, from 0, that is neither i nor stored in row i; columns ascend.
fn columnOf(m: Matrix, i: u32, k: u32) -> u32 {
  let first = word(m.rowStart + i);
  var low = 0u;
  var high = word(m.rowStart + i + 1u) - first;
  while (low < high) {
    let middle = (low + high) / 2u;
    let c = word(m.columns + first + middle);
    if (c - middle - select(0u, 1u, c > i) <= k) { low = middle + 1u; } else { high = middle; }
  }
  return k + low + select(0u, 1u, k + low >= i);
}
