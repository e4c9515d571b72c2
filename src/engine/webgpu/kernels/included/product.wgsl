// The sum of the neighbours' rows, shared by the sparse products. Included by kernels, which define
//   sourceValue(j, c): value c of the source's row j, with `c` in units of WIDTH columns;
//   entryWeight(m, e): the factor of entry e; called if WEIGHTED is 1.
//
// A workgroup of 256 threads has ROWS rows of LANES columns (values); PARTS groups of LANES threads share the entries of a row, each
// with every PARTS-th entry, and a tree adds their sums. The workgroups of the same columns follow each other, so that they find the
// source in the caches of the device. Rows of more than HUB_ENTRIES entries are cut into chunks: the phase `hubs` sums every chunk with a
// workgroup of its own into the scratch space [chunks, cols], and the rows read these sums. If PACKED is 1, the phase `pack` first writes
// the source times the right scale into the scratch space, [columns of M, cols] for each matrix, before all chunks.

const ROWS = 256u / (LANES * PARTS);
const CHUNK_PARTS = 256u / LANES;
var<workgroup> parts: array<Value, 256>;

// The place of a thread: row and column that it helps to compute, and the part of the entries that it adds.
struct Lane { row: u32, c: u32, lane: u32, part: u32, isActive: bool }

fn findLane(index: u32, thread: u32, numRows: u32, rowValues: u32) -> Lane {
  let groups = (numRows + ROWS - 1u) / ROWS;
  let lane = thread % LANES;
  let row = (index % groups) * ROWS + thread / (LANES * PARTS);
  let c = (index / groups) * LANES + lane;
  return Lane(row, c, lane, (thread / LANES) % PARTS, row < numRows && c < rowValues);
}

// Floats of the packed source of a matrix.
fn packedFloats(m: Matrix, cols: u32) -> u32 { return PACKED * m.numColumns * cols; }

// One thread for each value of the packed source at `packed`.
fn packSource(m: Matrix, packed: u32, i: u32, rowValues: u32) {
  if (i >= m.numColumns * rowValues) { return; }
  var scale = 1.0;
  if (m.right != NONE) { scale = scalar(m.right + i / rowValues); }
  store(packed / WIDTH + i, scale * sourceValue(i / rowValues, i % rowValues));
}

// Value c of row j of the source, packed or not.
fn neighbour(j: u32, c: u32, packed: u32, rowValues: u32) -> Value {
  if (PACKED == 1u) { return load(packed / WIDTH + j * rowValues + c); }
  return sourceValue(j, c);
}

// Every step-th entry from `first` on: four at a time, so that four rows are on their way at once.
fn entrySum(m: Matrix, first: u32, end: u32, step: u32, c: u32, packed: u32, rowValues: u32) -> Value {
  var sum = Value(0.0);
  var e = first;
  for (; e + 3u * step < end; e += 4u * step) {
    let v0 = neighbour(word(m.columns + e), c, packed, rowValues);
    let v1 = neighbour(word(m.columns + e + step), c, packed, rowValues);
    let v2 = neighbour(word(m.columns + e + 2u * step), c, packed, rowValues);
    let v3 = neighbour(word(m.columns + e + 3u * step), c, packed, rowValues);
    if (WEIGHTED == 1u) {
      sum += entryWeight(m, e) * v0;
      sum += entryWeight(m, e + step) * v1;
      sum += entryWeight(m, e + 2u * step) * v2;
      sum += entryWeight(m, e + 3u * step) * v3;
    } else {
      sum += v0;
      sum += v1;
      sum += v2;
      sum += v3;
    }
  }
  for (; e < end; e += step) {
    let v = neighbour(word(m.columns + e), c, packed, rowValues);
    if (WEIGHTED == 1u) { sum += entryWeight(m, e) * v; } else { sum += v; }
  }
  return sum;
}

// The part of a row's sum that one thread adds. `packed`: address of the packed source of this matrix; `chunkSums`: of its first chunk's sum.
fn partOfRow(m: Matrix, at: Lane, rowValues: u32, packed: u32, chunkSums: u32) -> Value {
  if (!at.isActive) { return Value(0.0); }
  let begin = word(m.rowStart + at.row);
  let end = word(m.rowStart + at.row + 1u);
  if (end - begin <= HUB_ENTRIES) { return entrySum(m, begin + at.part, end, PARTS, at.c, packed, rowValues); }
  var low = 0u;
  var high = m.numHubRows;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (word(m.hubRows + 3u * middle) <= at.row) { low = middle; } else { high = middle; }
  }
  let last = word(m.hubRows + 3u * low + 2u);
  var sum = Value(0.0);
  for (var k = word(m.hubRows + 3u * low + 1u) + at.part; k < last; k += PARTS) {
    sum += load(chunkSums / WIDTH + k * rowValues + at.c);
  }
  return sum;
}

// The sum over the parts of a row, for the threads of part 0. All threads of the workgroup must call it.
fn addParts(sum: Value, thread: u32, part: u32) -> Value {
  if (PARTS == 1u) { return sum; }
  parts[thread] = sum;
  for (var half = limit(PARTS / 2u); half > 0u; half /= 2u) {
    workgroupBarrier();
    if (part < half) { parts[thread] += parts[thread + half * LANES]; }
  }
  let whole = parts[thread];
  // before the next sum is stored
  workgroupBarrier();
  return whole;
}

// The sum over all groups of LANES threads, for the threads of the first. All threads of the workgroup must call it, once.
fn addChunkParts(sum: Value, thread: u32) -> Value {
  parts[thread] = sum;
  for (var half = limit(CHUNK_PARTS / 2u); half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread / LANES < half) { parts[thread] += parts[thread + half * LANES]; }
  }
  return parts[thread];
}

// The sum of chunk `k` of columns `tile`, stored in the scratch space.
fn sumChunk(m: Matrix, k: u32, tile: u32, thread: u32, rowValues: u32, packed: u32, chunkSums: u32) {
  let lane = thread % LANES;
  let part = thread / LANES;
  let c = tile * LANES + lane;
  var sum = Value(0.0);
  if (c < rowValues) {
    let first = word(m.hubChunks + 3u * k + 1u) + part;
    sum = entrySum(m, first, word(m.hubChunks + 3u * k + 2u), CHUNK_PARTS, c, packed, rowValues);
  }
  sum = addChunkParts(sum, thread);
  if (part == 0u && c < rowValues) { store(chunkSums / WIDTH + k * rowValues + c, sum); }
}

fn leftScale(m: Matrix, row: u32) -> f32 {
  if (m.left == NONE) { return 1.0; }
  return scalar(m.left + row);
}

// The weight of a row of the source in its own result, before the left scale.
fn diagonalWeight(m: Matrix, row: u32) -> f32 {
  if (m.right == NONE) { return m.diagonal; }
  return m.diagonal * scalar(m.right + row);
}
