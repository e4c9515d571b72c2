// Draws among the stored entries of several matrices, as row, column and matrix; the op has the numbering. One thread computes draws
// 4i … 4i + 3. Without entries the draws are MISSING.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let draws = output(b, 0).rows;
  let i = b.index * 256u + thread;
  if (b.isIdle || 4u * i >= draws) { return; }
  var size = 0u;
  for (var d = 0u; d < intAttribute(b, 0); d++) { size += numCopies(b, d); }
  let key = input(b, 0).at;
  let random = philox(vec2<u32>(word(key), word(key + 1u)), i, 0u, 0u);
  for (var j = 0u; j < min(4u, draws - 4u * i); j++) {
    let found = entryOf(b, size, random[j]);
    for (var k = 0u; k < 3u; k++) { setWord(output(b, k).at + 4u * i + j, found[k]); }
  }
}

// Stored entries of matrix d times its copies.
fn numCopies(b: Block, d: u32) -> u32 {
  return matrixOfList(intAttribute(b, 1), d).numEntries * word(input(b, 1).at + d);
}

fn entryOf(b: Block, size: u32, random: u32) -> vec3<u32> {
  if (size == 0u) { return vec3<u32>(MISSING); }
  var entry = below(random, size);
  var d = 0u;
  for (; d + 1u < intAttribute(b, 0); d++) {
    let copies = numCopies(b, d);
    if (entry < copies) { break; }
    entry -= copies;
  }
  let m = matrixOfList(intAttribute(b, 1), d);
  entry %= m.numEntries;
  // the last row that does not begin after the entry
  var low = 0u;
  var high = m.numRows;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (word(m.rowStart + middle) <= entry) { low = middle; } else { high = middle; }
  }
  return vec3<u32>(low, word(m.columns + entry), d);
}
