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
// of the long row that begins in the chunk: slot of its first sum, row, first and last chunk; MISSING without such a row
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

// Terms begin … end − 1 of a row.
struct Terms { row: u32, begin: u32, end: u32 }

// The row whose terms include term t.
fn rowOfTerm(start: Tensor, perPlace: u32, t: u32) -> Terms {
  let place = t / perPlace;
  var low = 0u;
  var high = start.rows - 1u;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (word(start.at + middle) <= place) { low = middle; } else { high = middle; }
  }
  return termsOfRow(start, perPlace, low);
}

fn termsOfRow(start: Tensor, perPlace: u32, row: u32) -> Terms {
  return Terms(row, word(start.at + row) * perPlace, word(start.at + row + 1u) * perPlace);
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let out = output(b, 0);
  let start = input(b, 0);
  let s = sourceOf(b);
  let units = out.cols / WIDTH;
  let rowBlocks = (out.rows + TEAMS - 1u) / TEAMS;
  let isRow = b.index < rowBlocks;
  let row = b.index * TEAMS + thread / LANES;
  let chunk = row - rowBlocks * TEAMS;
  let begin = chunk * CHUNK;
  let last = word(start.at + out.rows) * s.perPlace;
  if (select(begin >= last, row >= out.rows, isRow)) { return; }
  let end = min(begin + CHUNK, last);
  for (var slot = 0u; slot < select(2u, 1u, isRow); slot++) {
    var to = out.at / WIDTH + row * units;
    var terms: Terms;
    if (isRow) {
      terms = termsOfRow(start, s.perPlace, row);
      if (terms.end - terms.begin > CHUNK) { continue; }
    } else {
      terms = rowOfTerm(start, s.perPlace, select(end - 1u, begin, slot == 0u));
      if (terms.end - terms.begin <= CHUNK || (slot == 1u && terms.begin <= begin)) { continue; }
      terms = Terms(terms.row, max(terms.begin, begin), min(terms.end, end));
      to = floatScratch(b) / WIDTH + (2u * chunk + slot) * units;
    }
    for (var u = thread % LANES; u < units; u += LANES) {
      store(to + u, sumTerms(s, input(b, 1).at, terms.begin, terms.end, u));
    }
  }
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
    for (var half = limit(TEAMS / 2u); half > 0u; half /= 2u) {
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
  let terms = rowOfTerm(start, k, min(begin + CHUNK, last) - 1u);
  if (terms.begin < begin || terms.end - terms.begin <= CHUNK) { return vec4<u32>(MISSING); }
  return vec4<u32>(select(1u, 0u, terms.begin == begin), terms.row, b.index, (terms.end - 1u) / CHUNK);
}
