// Random walks over relations; the op has the rules. One thread computes one walk. After a dead end the walk is MISSING. Attributes: number
// of relations 0, their list 1, whether an input holds start relations 2, stay 3, biased 4, keep back 5, near 6, far 7. The weights of a
// relation are running sums over its rows.

// As in the op.
const MAX_TRIALS = 1024u;

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let walks = output(b, 0);
  let walk = b.index * 256u + thread;
  if (b.isIdle || walk >= walks.rows) { return; }
  let key = vec2<u32>(word(input(b, 0).at), word(input(b, 0).at + 1u));
  var node = word(input(b, 1).at + walk);
  var previous = MISSING;
  var relation = MISSING;
  if (intAttribute(b, 2) != 0u) { relation = word(input(b, 2).at + walk); }
  setWord(walks.at + walk * walks.cols, node);
  for (var step = 1u; step < walks.cols; step++) {
    if (node != MISSING) {
      var random = philox(key, walk, step, 0u);
      let last = relation;
      relation = chooseRelation(b, last, node, random);
      var next = MISSING;
      if (relation != MISSING) {
        let m = relationOf(b, relation);
        next = propose(m, node, random.z);
        if (intAttribute(b, 4) != 0u && previous != MISSING && (relation == last || isEdge(m, previous, node))) {
          for (var trial = 1u; trial < MAX_TRIALS; trial++) {
            if (falls(random.w, keepOf(b, m, previous, next))) { break; }
            random = philox(key, walk, step, trial);
            next = propose(m, node, random.z);
          }
        }
      }
      previous = node;
      node = next;
    }
    setWord(walks.at + walk * walks.cols + step, node);
  }
}

fn relationOf(b: Block, relation: u32) -> Matrix { return matrixOfList(intAttribute(b, 1), relation); }

fn hasEdges(m: Matrix, node: u32) -> bool {
  let end = word(m.rowStart + node + 1u);
  if (end == word(m.rowStart + node)) { return false; }
  if (m.weights == NONE) { return true; }
  return scalar(m.weights + end - 1u) > 0.0;
}

// The relation of the next step, from words 0 and 1; MISSING if none has edges at the node.
fn chooseRelation(b: Block, relation: u32, node: u32, random: vec4<u32>) -> u32 {
  var isHere = false;
  if (relation != MISSING) { isHere = hasEdges(relationOf(b, relation), node); }
  if (isHere && falls(random.x, intAttribute(b, 3))) { return relation; }
  let numRelations = intAttribute(b, 0);
  var others = 0u;
  for (var d = 0u; d < numRelations; d++) {
    if (d != relation && hasEdges(relationOf(b, d), node)) { others++; }
  }
  if (others == 0u) { return select(MISSING, relation, isHere); }
  var before = below(random.y, others);
  for (var d = 0u; d < numRelations; d++) {
    if (d == relation || !hasEdges(relationOf(b, d), node)) { continue; }
    if (before == 0u) { return d; }
    before--;
  }
  return MISSING;
}

// A neighbour by one random word, by weight if there are weights: the first whose running sum exceeds a random part of the total.
fn propose(m: Matrix, node: u32, random: u32) -> u32 {
  let begin = word(m.rowStart + node);
  let end = word(m.rowStart + node + 1u);
  if (m.weights == NONE) { return word(m.columns + begin + below(random, end - begin)); }
  // both factors and the power of two are exact, so there is one rounding
  let part = f32(random >> 8u) * (1.0 / 16777216.0) * scalar(m.weights + end - 1u);
  var low = begin;
  var high = end - 1u;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (scalar(m.weights + middle) > part) { high = middle; } else { low = middle + 1u; }
  }
  return word(m.columns + low);
}

// Whether `column` is among the ascending columns of a row.
fn isEdge(m: Matrix, row: u32, column: u32) -> bool {
  let end = word(m.rowStart + row + 1u);
  var low = word(m.rowStart + row);
  var high = end;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (word(m.columns + middle) < column) { low = middle + 1u; } else { high = middle; }
  }
  if (low == end) { return false; }
  return word(m.columns + low) == column;
}

// The probability of keeping a proposal, as a word.
fn keepOf(b: Block, m: Matrix, previous: u32, candidate: u32) -> u32 {
  if (candidate == previous) { return intAttribute(b, 5); }
  return intAttribute(b, select(7u, 6u, isEdge(m, previous, candidate)));
}
