// The k nearest other rows of x by squared distance, for the rows first, first + 1, …: nearest first, ties by index.
//
// run: a workgroup compares 64 queries with one part of the rows of x. Distances are sums of squared differences (not norms and products: nothing
// cancels, and equal rows are at distance zero). finish: one thread merges one list of a query with the others (included/nearestTile.wgsl).
// Queries past the last row are not computed: their rows of the outputs stay as they were.

fn firstRow(b: Block) -> u32 { return word(input(b, 1).at); }
fn isQuery(b: Block, i: u32) -> bool { return i < output(b, 0).rows && firstRow(b) + i < input(b, 0).rows; }

// Numbers of four rows; rows past the end repeat the last one.
fn fourRows(b: Block, row: u32, c: u32) -> vec4<f32> {
  let x = input(b, 0);
  let rows = min(vec4(row) + vec4(0u, 1u, 2u, 3u), vec4(x.rows - 1u)) * x.cols + x.at + c;
  return vec4(load(rows.x), load(rows.y), load(rows.z), load(rows.w));
}

fn queryNumbers(b: Block, i: u32, c: u32) -> vec4<f32> { return fourRows(b, firstRow(b) + i, c); }
fn candidateNumbers(b: Block, j: u32, c: u32) -> vec4<f32> { return fourRows(b, j, c); }

fn combine(sums: vec4<f32>, q: vec4<f32>, x: f32) -> vec4<f32> {
  let away = q - x;
  return sums + away * away;
}

// floats of at least 0 have the order of their bits
fn keyOf(sum: f32) -> u32 { return bitcast<u32>(sum); }

fn nameOf(b: Block, i: u32, j: u32) -> u32 { return select(j, MISSING, j >= input(b, 0).rows || j == firstRow(b) + i); }

fn emit(b: Block, i: u32, rank: u32, entry: vec2<u32>) {
  let place = i * output(b, 0).cols + rank;
  setWord(output(b, 0).at + place, entry.y);
  store(output(b, 1).at + place, bitcast<f32>(entry.x));
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let x = input(b, 0);
  let part = partOf(b, x.rows);
  let query = part.firstQuery + thread % 64u;
  let isActive = isQuery(b, query);
  let list = listOf(b, wordScratch(b), 4u * part.number + thread / 64u, query);
  if (isActive) { clearList(list); }
  var worst = vec2(MISSING);
  for (var j = part.first; j < part.end; j += 64u) {
    let sums = tileSums(b, thread, part.firstQuery, j, x.cols);
    worst = offerTile(b, thread, part.firstQuery, j, sums, list, isActive, worst);
  }
  if (isActive) { sortList(list); }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let i = mergedQuery(b, thread);
  if (b.isIdle || !isQuery(b, i)) { return; }
  mergeLists(b, wordScratch(b), i);
}
