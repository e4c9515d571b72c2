// Exact search of the k best candidates of each query, where output 0 has k columns: workgroups of 64 queries, tiles of 64 queries × 64
// candidates.
//
// run: the candidates are divided into parts, one for each of the workgroups of a block of queries. Four threads share the candidates
// of a query in a part, and each keeps its best in a sorted list. finish: a workgroup has one list of 256 queries. `mergeLists` finds the
// rank of every entry among all lists of the query, so the result does not depend on the order of the candidates.
//
// The kernel defines
//   queryNumbers(b, i, c)      number c of the queries i … i + 3,
//   candidateNumbers(b, j, c)  number c of the candidates j … j + 3,
//   combine(sums, q, x)        the terms of four queries and one candidate, added to the sums,
//   keyOf(sum)                 the key of a sum; the smallest key is the best,
//   nameOf(b, i, j)            the name of candidate j, MISSING if query i must not find it,
//   emit(b, i, rank, entry)    writes a result.

// 16 columns of the queries (17·column + …, so that writers of a column use different banks), then of the candidates; or sums of 32
// candidates (16·candidate + …)
const CANDIDATES_AT = 272u;
var<workgroup> tile: array<vec4<f32>, 544>;

// Workgroups of 64 queries if the candidates are not divided.
fn numQueryBlocks(b: Block) -> u32 { return (output(b, 0).rows + 63u) / 64u; }

// What a workgroup of `run` compares: 64 queries and the candidates from `first` up to `end` of `count`; `first` is a multiple of 64.
struct Part { number: u32, firstQuery: u32, first: u32, end: u32 }
fn partOf(b: Block, count: u32) -> Part {
  let parts = b.count / numQueryBlocks(b);
  let size = ((count + 63u) / 64u + parts - 1u) / parts * 64u;
  let number = b.index % parts;
  return Part(number, b.index / parts * 64u, number * size, min(count, (number + 1u) * size));
}

// List `list` of query i; the lists of all queries begin at `at`.
fn listOf(b: Block, at: u32, list: u32, i: u32) -> SortedList {
  let found = output(b, 0);
  return SortedList(at + 2u * list * found.cols * found.rows + i, found.rows, found.cols);
}

// The sums of four queries, 4·(thread / 16) …, with four candidates, 4·(thread % 16) …, of the tile.
fn tileSums(b: Block, thread: u32, firstQuery: u32, firstCandidate: u32, width: u32) -> array<vec4<f32>, 4> {
  let four = thread / 16u;
  var s0 = vec4(0.0);
  var s1 = vec4(0.0);
  var s2 = vec4(0.0);
  var s3 = vec4(0.0);
  for (var first = 0u; first < width; first += 16u) {
    let column = thread % 16u;
    let isInside = first + column < width;
    workgroupBarrier();
    let at = 17u * column + four;
    tile[at] = vec4(0.0);
    tile[CANDIDATES_AT + at] = vec4(0.0);
    if (isInside) {
      tile[at] = queryNumbers(b, firstQuery + 4u * four, first + column);
      tile[CANDIDATES_AT + at] = candidateNumbers(b, firstCandidate + 4u * four, first + column);
    }
    workgroupBarrier();
    for (var c = 0u; c < limit(16u); c++) {
      let q = tile[17u * c + four];
      let x = tile[CANDIDATES_AT + 17u * c + thread % 16u];
      s0 = combine(s0, q, x.x);
      s1 = combine(s1, q, x.y);
      s2 = combine(s2, q, x.z);
      s3 = combine(s3, q, x.w);
    }
  }
  return array(s0, s1, s2, s3);
}

// Offers the candidates of a tile to the lists. `worst` is the root of the thread's list, which belongs to query firstQuery + thread % 64.
fn offerTile(
  b: Block, thread: u32, firstQuery: u32, firstCandidate: u32, sums: array<vec4<f32>, 4>,
  list: SortedList, isActive: bool, oldWorst: vec2<u32>,
) -> vec2<u32> {
  let query = thread % 64u;
  var worst = oldWorst;
  for (var half = 0u; half < 2u; half++) {
    workgroupBarrier();
    if (thread % 16u / 8u == half) {
      let at = 64u * (thread % 8u) + thread / 16u;
      tile[at] = sums[0];
      tile[at + 16u] = sums[1];
      tile[at + 32u] = sums[2];
      tile[at + 48u] = sums[3];
    }
    workgroupBarrier();
    let first = 8u * (thread / 64u);
    for (var j = first; isActive && j < first + 8u; j++) {
      let key = keyOf(tile[16u * j + query / 4u][query % 4u]);
      if (key > worst.x) { continue; }
      let entry = vec2(key, nameOf(b, firstQuery + query, firstCandidate + 32u * half + j));
      if (entry.y == MISSING || !isBefore(entry, worst)) { continue; }
      replaceRoot(list, list.size, entry);
      worst = entryOf(list, 0u);
    }
  }
  return worst;
}

// One thread per query and list: each entry that has fewer than k entries before it goes to its place in the result. Equal entries, which
// are unused, come in the order of the lists.
fn mergeLists(b: Block, at: u32, i: u32) {
  let groupsPerList = (output(b, 0).rows + 255u) / 256u;
  let own = b.index / groupsPerList;
  let list = listOf(b, at, own, i);
  for (var e = 0u; e < list.size; e++) {
    let entry = entryOf(list, e);
    var rank = e;
    for (var other = 0u; other < b.count / groupsPerList && rank < list.size; other++) {
      if (other != own) { rank += countBefore(listOf(b, at, other, i), entry, other < own); }
    }
    if (rank >= list.size) { return; }
    emit(b, i, rank, entry);
  }
}

// The query of a thread of finish.
fn mergedQuery(b: Block, thread: u32) -> u32 { return b.index % ((output(b, 0).rows + 255u) / 256u) * 256u + thread; }
