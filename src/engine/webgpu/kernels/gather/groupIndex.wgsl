// Places of an index sorted by the row that they name, stable; start_r: the first place of row r in that order. The key of a place is its
// row, less the attribute; of MISSING and of other rows the number of rows, so that they come last, as MISSING.
//
// Few places (count): one thread computes the rank of one place, or one start, by comparing with all keys.
// Many: PASSES passes sort by a digit of the key each, from the lowest. A pass has blocks of 1024 places and three phases.
// countDigits: a workgroup counts the digits of its block. addCounts: a workgroup adds the counts of one digit over the blocks before each
// block. scatter: a workgroup sorts its block by digit, two bits at a time, so that places of a digit lie together, and writes each place
// to its new position. findStarts: one thread finds one start by bisection.
// Scratch: places [size], sorted keys [size], counts [digits, blocks], totals [digits]. The last pass writes to `order`, so the passes
// before it write in turn to the scratch space and to `order`.

const BLOCK = 1024u;

struct Sort { index: u32, size: u32, rows: u32, first: u32, start: u32, order: u32, places: u32, keys: u32, counts: u32, blocks: u32, bits: u32, digits: u32 }

fn sortOf(b: Block) -> Sort {
  let index = input(b, 0);
  let size = index.rows * index.cols;
  let start = output(b, 0);
  let scratch = wordScratch(b);
  let rows = start.rows - 1u;
  // bits of a digit: the passes divide those of the largest key
  let bits = (max(1u, 32u - countLeadingZeros(rows)) + max(1u, PASSES) - 1u) / max(1u, PASSES);
  return Sort(
    index.at, size, rows, intAttribute(b, 0), start.at, output(b, 1).at,
    scratch, scratch + size, scratch + 2u * size, (size + BLOCK - 1u) / BLOCK, bits, 1u << (bits & 31u),
  );
}

fn keyOf(s: Sort, place: u32) -> u32 { return min(word(s.index + place) - s.first, s.rows); }

var<workgroup> someKeys: array<vec4<u32>, 256>;

@compute @workgroup_size(256)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let s = sortOf(b);
  let i = b.index * 256u + thread;
  // the threads after those of the places compute starts
  let isPlace = i < s.size;
  var key = i - s.size;
  if (isPlace) { key = keyOf(s, i); }
  // places before this one come first even with the same key
  let place = select(0u, i, isPlace);
  var before = vec4<u32>(0u);
  for (var tile = 0u; tile < s.size; tile += BLOCK) {
    workgroupBarrier();
    var loaded = vec4<u32>(MISSING);
    for (var c = 0u; c < 4u; c++) {
      let at = tile + 4u * thread + c;
      if (at < s.size) { loaded[c] = keyOf(s, at); }
    }
    someKeys[thread] = loaded;
    workgroupBarrier();
    let quads = (min(BLOCK, s.size - tile) + 3u) / 4u;
    for (var k = 0u; k < quads; k++) {
      let at = vec4<u32>(tile + 4u * k) + vec4<u32>(0u, 1u, 2u, 3u);
      let bound = vec4<u32>(key) + select(vec4<u32>(0u), vec4<u32>(1u), at < vec4<u32>(place));
      before += select(vec4<u32>(0u), vec4<u32>(1u), someKeys[k] < bound);
    }
  }
  let rank = before.x + before.y + before.z + before.w;
  if (isPlace) {
    setWord(s.order + rank, select(i, MISSING, key == s.rows));
  } else if (key <= s.rows) {
    setWord(s.start + key, rank);
  }
}

fn digitOf(s: Sort, key: u32) -> u32 { return (key >> ((launch.phase / 3u) * s.bits)) & (s.digits - 1u); }

// Where a pass reads: the place at a position so far.
fn placeAt(s: Sort, position: u32) -> u32 {
  if (launch.phase < 3u) { return position; }
  return word(select(s.places, s.order, (PASSES - launch.phase / 3u) % 2u == 0u) + position);
}

var<workgroup> digitCounts: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn countDigits(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let s = sortOf(b);
  atomicStore(&digitCounts[thread], 0u);
  workgroupBarrier();
  for (var j = 0u; j < limit(BLOCK); j += 256u) {
    let position = b.index * BLOCK + j + thread;
    if (position < s.size) { atomicAdd(&digitCounts[digitOf(s, keyOf(s, placeAt(s, position)))], 1u); }
  }
  workgroupBarrier();
  if (thread < s.digits) { setWord(s.counts + thread * s.blocks + b.index, atomicLoad(&digitCounts[thread])); }
}

var<workgroup> sums: array<vec2<u32>, 256>;

// The sum of v over the threads before this one; sums[255] is that of all. All threads of the workgroup must call it.
fn sumBefore(v: vec2<u32>, thread: u32) -> vec2<u32> {
  workgroupBarrier();
  sums[thread] = v;
  var sum = v;
  for (var step = 1u; step < limit(256u); step *= 2u) {
    workgroupBarrier();
    if (thread >= step) { sum += sums[thread - step]; }
    workgroupBarrier();
    sums[thread] = sum;
  }
  workgroupBarrier();
  return sum - v;
}

@compute @workgroup_size(256)
fn addCounts(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let s = sortOf(b);
  let counts = s.counts + b.index * s.blocks;
  var before = 0u;
  for (var tile = 0u; tile < s.blocks; tile += 256u) {
    let i = tile + thread;
    var own = 0u;
    if (i < s.blocks) { own = word(counts + i); }
    let inTile = sumBefore(vec2<u32>(own, 0u), thread).x;
    if (i < s.blocks) { setWord(counts + i, before + inTile); }
    before += sums[255].x;
  }
  if (thread == 0u) { setWord(s.counts + s.digits * s.blocks + b.index, before); }
}

// places of the block: digit · 1024 + position in the block
var<workgroup> items: array<u32, 1024>;
// per digit: its first position in the sorted block, and in the order
var<workgroup> digitStart: array<u32, 256>;
var<workgroup> digitTarget: array<u32, 256>;

@compute @workgroup_size(256)
fn scatter(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let s = sortOf(b);
  let first = b.index * BLOCK;
  for (var j = thread; j < limit(BLOCK); j += 256u) {
    // past the end: after all others
    var digit = s.digits - 1u;
    if (first + j < s.size) { digit = digitOf(s, keyOf(s, placeAt(s, first + j))); }
    items[j] = digit * BLOCK + j;
  }
  var total = 0u;
  if (thread < s.digits) { total = word(s.counts + s.digits * s.blocks + thread); }
  let smaller = sumBefore(vec2<u32>(total, 0u), thread).x;
  if (thread < s.digits) { digitTarget[thread] = smaller + word(s.counts + thread * s.blocks + b.index); }
  for (var bit = 0u; bit < s.bits; bit += 2u) { sortByTwoBits(10u + bit, thread); }
  for (var j = thread; j < limit(BLOCK); j += 256u) {
    let digit = items[j] / BLOCK;
    if (j == 0u || items[max(j, 1u) - 1u] / BLOCK != digit) { digitStart[digit] = j; }
  }
  workgroupBarrier();
  let isLast = launch.phase / 3u == PASSES - 1u;
  let to = select(s.places, s.order, (PASSES - launch.phase / 3u) % 2u == 1u);
  for (var j = thread; j < min(BLOCK, s.size - first); j += 256u) {
    let digit = items[j] / BLOCK;
    let position = digitTarget[digit] + j - digitStart[digit];
    var place = placeAt(s, first + items[j] % BLOCK);
    if (isLast) {
      let key = keyOf(s, place);
      setWord(s.keys + position, key);
      if (key == s.rows) { place = MISSING; }
    }
    setWord(to + position, place);
  }
}

// Sorts the items by two of their bits, stable. A thread moves four neighbouring items.
fn sortByTwoBits(shift: u32, thread: u32) {
  var counts = vec4<u32>(0u);
  var own: array<u32, 4>;
  for (var j = 0u; j < 4u; j++) {
    own[j] = items[4u * thread + j];
    counts[(own[j] >> shift) & 3u]++;
  }
  // two counts of at most 1024 in a word
  let before = sumBefore(vec2<u32>(counts.x | (counts.y << 16u), counts.z | (counts.w << 16u)), thread);
  let all = sums[255];
  let first1 = all.x & 0xffffu;
  let first2 = first1 + (all.x >> 16u);
  let first3 = first2 + (all.y & 0xffffu);
  var next = vec4<u32>(0u, first1, first2, first3);
  next += vec4<u32>(before.x & 0xffffu, before.x >> 16u, before.y & 0xffffu, before.y >> 16u);
  for (var j = 0u; j < 4u; j++) {
    let digit = (own[j] >> shift) & 3u;
    items[next[digit]] = own[j];
    next[digit]++;
  }
  workgroupBarrier();
}

@compute @workgroup_size(256)
fn findStarts(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let s = sortOf(b);
  let row = b.index * 256u + thread;
  if (b.isIdle || row > s.rows) { return; }
  var low = 0u;
  var high = s.size;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (word(s.keys + middle) < row) { low = middle + 1u; } else { high = middle; }
  }
  setWord(s.start + row, low);
}
