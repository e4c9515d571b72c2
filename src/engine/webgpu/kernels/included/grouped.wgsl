// Sums of terms, group by group, for the gradients of gathers: out[r] = Σ over places p of group r, in order, of the k terms p·k … p·k + k − 1.
// Inputs 0 and 1 are the groups: start, order. The kernel defines
//   Source, sourceOf(b): what a thread needs to find the terms of a call; its member `perPlace` is k;
//   termOf(s, q, u): value u (in units of WIDTH columns) of term q, 0 if an index is MISSING.
//
// A team of LANES threads sums one row, each thread every LANES-th value of it. The terms of all groups in order are cut into chunks of
// CHUNK, for rows of more than CHUNK terms ("long").
// run: the first workgroups sum the rows that are not long (zeros for an empty group), one team each. In the others a team sums what
// long rows have in one chunk, into the scratch space [chunks, 2, cols]: slot 1 for a row that begins inside the chunk, otherwise slot 0.
// finish: a workgroup adds the sums of the long row that begins in its chunk, if there is one: team t takes every TEAMS-th, then a
// tree adds the teams. The bits depend on the groups alone.

const TEAMS = 256u / LANES;
var<workgroup> teamSums: array<Value, 256>;
// slot of the first sum of a long row, its row, first and last chunk; all rows are shorter: MISSING
var<workgroup> longRow: vec4<u32>;

fn termAt(s: Source, order: u32, t: u32, u: u32) -> Value {
  if (s.perPlace == 1u) { return termOf(s, word(order + t), u); }
  return termOf(s, word(order + t / s.perPlace) * s.perPlace + t % s.perPlace, u);
}

// Terms first … end − 1 in order: four at a time, so that four rows are on their way at once.
fn sumTerms(s: Source, order: u32, first: u32, end: u32, u: u32) -> Value {
  var sum = Value(0.0);
  var t = first;
  for (; t + 4u <= end; t += 4u) {
    let v0 = termAt(s, order, t, u);
    let v1 = termAt(s, order, t + 1u, u);
    let v2 = termAt(s, order, t + 2u, u);
    let v3 = termAt(s, order, t + 3u, u);
    sum += v0;
    sum += v1;
    sum += v2;
    sum += v3;
  }
  for (; t < end; t++) { sum += termAt(s, order, t, u); }
  return sum;
}

// The row whose group holds place e of the order.
fn rowOfPlace(start: Tensor, e: u32) -> u32 {
  var low = 0u;
  var high = start.rows - 1u;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (word(start.at + middle) <= e) { low = middle; } else { high = middle; }
  }
  return low;
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let out = output(b, 0);
  let start = input(b, 0);
  let order = input(b, 1).at;
  let s = sourceOf(b);
  let k = s.perPlace;
  let units = out.cols / WIDTH;
  let lane = thread % LANES;
  let rowBlocks = (out.rows + TEAMS - 1u) / TEAMS;
  if (b.index < rowBlocks) {
    let row = b.index * TEAMS + thread / LANES;
    if (row >= out.rows) { return; }
    let begin = word(start.at + row) * k;
    let end = word(start.at + row + 1u) * k;
    if (end - begin > CHUNK) { return; }
    for (var u = lane; u < units; u += LANES) {
      store(out.at / WIDTH + row * units + u, sumTerms(s, order, begin, end, u));
    }
    return;
  }
  let chunk = (b.index - rowBlocks) * TEAMS + thread / LANES;
  let begin = chunk * CHUNK;
  let last = word(start.at + out.rows) * k;
  if (begin >= last) { return; }
  let end = min(begin + CHUNK, last);
  let to = floatScratch(b) / WIDTH + chunk * 2u * units;
  let first = rowOfPlace(start, begin / k);
  let firstEnd = word(start.at + first + 1u) * k;
  if (firstEnd - word(start.at + first) * k > CHUNK) {
    for (var u = lane; u < units; u += LANES) { store(to + u, sumTerms(s, order, begin, min(end, firstEnd), u)); }
  }
  if (firstEnd >= end) { return; }
  let second = rowOfPlace(start, (end - 1u) / k);
  let secondBegin = word(start.at + second) * k;
  if (word(start.at + second + 1u) * k - secondBegin <= CHUNK) { return; }
  for (var u = lane; u < units; u += LANES) { store(to + units + u, sumTerms(s, order, secondBegin, end, u)); }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let out = output(b, 0);
  let units = out.cols / WIDTH;
  if (thread == 0u) { longRow = findLongRow(b, out.rows); }
  let found = workgroupUniformLoad(&longRow);
  if (found.x == MISSING) { return; }
  let team = thread / LANES;
  let lane = thread % LANES;
  let sums = floatScratch(b) / WIDTH;
  for (var tile = 0u; tile < units; tile += LANES) {
    let u = tile + lane;
    var sum = Value(0.0);
    if (u < units) {
      for (var c = found.z + team; c <= found.w; c += TEAMS) {
        sum += load(sums + (2u * c + select(0u, found.x, c == found.z)) * units + u);
      }
    }
    workgroupBarrier();
    teamSums[thread] = sum;
    for (var half = TEAMS / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (team < half) { teamSums[thread] += teamSums[thread + half * LANES]; }
    }
    if (team == 0u && u < units) { store(out.at / WIDTH + found.y * units + u, teamSums[thread]); }
  }
}

fn findLongRow(b: Block, rows: u32) -> vec4<u32> {
  let start = input(b, 0);
  let k = sourceOf(b).perPlace;
  let begin = b.index * CHUNK;
  let last = word(start.at + rows) * k;
  if (begin >= last) { return vec4<u32>(MISSING); }
  let row = rowOfPlace(start, (min(begin + CHUNK, last) - 1u) / k);
  let rowBegin = word(start.at + row) * k;
  let rowEnd = word(start.at + row + 1u) * k;
  if (rowBegin < begin || rowEnd - rowBegin <= CHUNK) { return vec4<u32>(MISSING); }
  return vec4<u32>(select(1u, 0u, rowBegin == begin), row, b.index, (rowEnd - 1u) / CHUNK);
}
