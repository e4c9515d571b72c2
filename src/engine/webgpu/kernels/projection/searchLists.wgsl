// The k candidates with the largest inner product with each query, among the lists that the query probes; equal scores by name.
//
// mark: a workgroup finds, for 64 queries and 1024 lists, which queries probe each list: 64 bits per list, in the scratch space.
// run: a workgroup compares 64 queries with the panels of one part that one of its queries probes, four panels at a time: each thread
// looks at one of 256 panels, and those that are needed are listed in any order. finish: one thread merges one list of a query with the
// others (included/nearestTile.wgsl). With fewer than k candidates the rest is MISSING with a score of −Infinity.

const MARKED = 1024u;
var<workgroup> marks: array<atomic<u32>, 2048>;
// panels that are compared next, and the queries that probe them
var<workgroup> panels: array<u32, 256>;
var<workgroup> probing: array<vec2<u32>, 256>;
var<workgroup> nextPlace: atomic<u32>;
var<workgroup> numPanels: u32;

fn numLists(b: Block) -> u32 { return input(b, 2).rows - 1u; }
fn marksAt(b: Block, queryBlock: u32, list: u32) -> u32 { return wordScratch(b) + 2u * (queryBlock * numLists(b) + list); }
fn listsAt(b: Block) -> u32 { return marksAt(b, numQueryBlocks(b), 0u); }

@compute @workgroup_size(256)
fn mark(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let probes = input(b, 5);
  let queryBlock = b.index % numQueryBlocks(b);
  let first = b.index / numQueryBlocks(b) * MARKED;
  let end = min(numLists(b), first + MARKED);
  for (var e = thread; e < 2u * MARKED; e += 256u) { atomicStore(&marks[e], 0u); }
  workgroupBarrier();
  for (var e = thread; e < 64u * probes.cols; e += 256u) {
    let i = e / probes.cols;
    if (64u * queryBlock + i >= probes.rows) { break; }
    let list = word(probes.at + 64u * queryBlock * probes.cols + e);
    if (list >= first && list < end) { atomicOr(&marks[2u * (list - first) + i / 32u], 1u << (i % 32u)); }
  }
  workgroupBarrier();
  for (var e = thread; e < 2u * (end - first); e += 256u) {
    setWord(marksAt(b, queryBlock, first) + e, atomicLoad(&marks[e]));
  }
}

// The list of a panel: the last one that begins at or before it.
fn listOfPanel(b: Block, panel: u32) -> u32 {
  let starts = input(b, 2).at;
  var low = 0u;
  var high = numLists(b);
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (word(starts + middle) <= panel) { low = middle; } else { high = middle; }
  }
  return low;
}

// Numbers of four queries; queries past the end repeat the last one.
fn queryNumbers(b: Block, i: u32, c: u32) -> vec4<f32> {
  let q = input(b, 3);
  let rows = min(vec4(i) + vec4(0u, 1u, 2u, 3u), vec4(q.rows - 1u)) * q.cols + q.at + c;
  return vec4(load(rows.x), load(rows.y), load(rows.z), load(rows.w));
}

// Candidate j is column j mod 16 of the listed panel j / 16; past the last panel, of the last one.
fn candidateNumbers(b: Block, j: u32, c: u32) -> vec4<f32> {
  let panel = panels[min(j / 16u, numPanels - 1u)];
  let at = input(b, 0).at + (panel * input(b, 3).cols + c) * 16u + j % 16u;
  return vec4(load(at), load(at + 1u), load(at + 2u), load(at + 3u));
}

fn combine(sums: vec4<f32>, q: vec4<f32>, x: f32) -> vec4<f32> { return sums + q * x; }

// descending floats as ascending words; −0 is 0
fn keyOf(sum: f32) -> u32 {
  let bits = select(bitcast<u32>(sum), 0u, sum == 0.0);
  return select(~(bits | 0x80000000u), bits, (bits >> 31u) == 1u);
}

fn nameOf(b: Block, i: u32, j: u32) -> u32 {
  let slot = j / 16u;
  if (slot >= numPanels || ((probing[slot][i % 64u / 32u] >> (i % 32u)) & 1u) == 0u) { return MISSING; }
  let name = word(input(b, 1).at + panels[slot] * 16u + j % 16u);
  return select(name, MISSING, name == word(input(b, 4).at + i));
}

fn emit(b: Block, i: u32, rank: u32, entry: vec2<u32>) {
  let isPositive = (entry.x >> 31u) == 0u;
  let bits = select(select(entry.x, ~entry.x & 0x7fffffffu, isPositive), 0xff800000u, entry.y == MISSING);
  let place = i * output(b, 0).cols + rank;
  setWord(output(b, 0).at + place, entry.y);
  store(output(b, 1).at + place, bitcast<f32>(bits));
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let part = partOf(b, 16u * input(b, 1).rows);
  let query = part.firstQuery + thread % 64u;
  let isActive = query < output(b, 0).rows;
  let list = listOf(b, listsAt(b), 4u * part.number + thread / 64u, query);
  if (isActive) { clearList(list); }
  var worst = vec2(MISSING);
  let end = part.end / 16u;
  for (var first = part.first / 16u; first < end; first += 256u) {
    workgroupBarrier();
    if (thread == 0u) { atomicStore(&nextPlace, 0u); }
    workgroupBarrier();
    let panel = first + thread;
    if (panel < end) {
      let at = marksAt(b, part.firstQuery / 64u, listOfPanel(b, panel));
      let queries = vec2(word(at), word(at + 1u));
      if (any(queries != vec2(0u))) {
        let place = atomicAdd(&nextPlace, 1u);
        panels[place] = panel;
        probing[place] = queries;
      }
    }
    workgroupBarrier();
    if (thread == 0u) { numPanels = atomicLoad(&nextPlace); }
    let count = workgroupUniformLoad(&numPanels);
    for (var j = 0u; j < 16u * count; j += 64u) {
      let sums = tileSums(b, thread, part.firstQuery, j, input(b, 3).cols);
      worst = offerTile(b, thread, part.firstQuery, j, sums, list, isActive, worst);
    }
  }
  if (isActive) { sortList(list); }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let i = mergedQuery(b, thread);
  if (b.isIdle || i >= output(b, 0).rows) { return; }
  mergeLists(b, listsAt(b), i);
}
