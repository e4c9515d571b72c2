// dX = M·V and db = Σ_i V[i] with V = s·G where the bit of the mask is set, otherwise 0; M is the transposed matrix of the convolution.
//
// included/product.wgsl says which thread computes a row of dX; the factor s is applied to its sum. The workgroups after those of the
// rows sum V for db: each BIAS_ROWS rows of LANES values, in CHUNK_PARTS groups whose sums a tree adds, into the scratch space after the
// sums of chunks, [blocks, cols]. finish: a workgroup adds the blocks of LANES values in the same way.

const SOURCE = 0u;
var<private> g: Tensor;
var<private> mask: u32;
var<private> maskWords: u32;

fn sourceValue(j: u32, c: u32) -> Value {
  let column = c * WIDTH;
  let bits = word(mask + j * maskWords + column / 32u) >> (column % 32u);
  return keepBits(load(g.at / WIDTH + j * (g.cols / WIDTH) + c), bits);
}
fn entryWeight(m: Matrix, e: u32) -> f32 { return scalar(m.weights + e); }

fn readInputs(b: Block) {
  g = input(b, 0);
  mask = input(b, 1).at;
  maskWords = (g.cols + 31u) / 32u;
}

// Σ over rows first, first + CHUNK_PARTS, … of the masked source or, with `isFinal`, of the blocks at `blocks`; added by a tree.
fn sumColumn(first: u32, end: u32, c: u32, rowValues: u32, thread: u32, isFinal: bool, blocks: u32) -> Value {
  let part = thread / LANES;
  var sum = Value(0.0);
  if (c < rowValues) {
    for (var i = first + part; i < end; i += CHUNK_PARTS) {
      if (isFinal) { sum += load(blocks / WIDTH + i * rowValues + c); } else { sum += sourceValue(i, c); }
    }
  }
  return addChunkParts(sum, thread);
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readInputs(b);
  // not from g: variables of a module do not count as uniform
  let cols = input(b, 0).cols;
  let numRows = input(b, 0).rows;
  let m = matrixAt(intAttribute(b, 0));
  let rowValues = cols / WIDTH;
  let tiles = (rowValues + LANES - 1u) / LANES;
  let rowGroups = (m.numRows + ROWS - 1u) / ROWS * tiles;
  let factor = floatAttribute(b, 1);
  if (b.index >= rowGroups) {
    let block = (b.index - rowGroups) / tiles;
    let c = (b.index - rowGroups) % tiles * LANES + thread % LANES;
    let sum = sumColumn(block * BIAS_ROWS, min(numRows, (block + 1u) * BIAS_ROWS), c, rowValues, thread, false, 0u);
    let blocks = chunkPlace(b, m) + m.numHubChunks * cols;
    if (thread < LANES && c < rowValues) { store(blocks / WIDTH + block * rowValues + c, factor * sum); }
    return;
  }
  let at = findLane(b.index, thread, m.numRows, rowValues);
  var sum = addParts(partOfRow(m, at, rowValues, floatScratch(b), chunkPlace(b, m)), thread, at.part);
  if (at.isActive && at.part == 0u) {
    if (m.diagonal != 0.0) { sum += diagonalWeight(m, at.row) * sourceValue(at.row, at.c); }
    store(output(b, 0).at / WIDTH + at.row * rowValues + at.c, (factor * leftScale(m, at.row)) * sum);
  }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readInputs(b);
  // not from g: variables of a module do not count as uniform
  let cols = input(b, 0).cols;
  let numRows = input(b, 0).rows;
  let m = matrixAt(intAttribute(b, 0));
  let rowValues = cols / WIDTH;
  let c = b.index * LANES + thread % LANES;
  let numBlocks = (numRows + BIAS_ROWS - 1u) / BIAS_ROWS;
  let sum = sumColumn(0u, numBlocks, c, rowValues, thread, true, chunkPlace(b, m) + m.numHubChunks * cols);
  if (thread < LANES && c < rowValues) { store(output(b, 1).at / WIDTH + c, sum); }
}
