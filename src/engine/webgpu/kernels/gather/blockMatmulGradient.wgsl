// dW_g = Σ over the rows b of block g, start_g ≤ b < start_{g+1}, of X[b]ᵀ·G[b]; zeros for an empty block.
//
// Blocks are cut into pieces of ROWS rows. Block g has the numbers ⌊start_g / ROWS⌋ + g … ⌊start_{g+1} / ROWS⌋ + g of pieces: enough for it,
// and the last may be empty.
// run: a workgroup sums one piece; a thread computes one value of four rows of X[b]ᵀ·G[b]. Scratch: [pieces, k, m].
// finish: one thread adds the pieces of one value, in order.

struct Piece { first: u32, end: u32 }

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let x = input(b, 0);
  let g = input(b, 1);
  let units = g.cols / WIDTH;
  let quads = (x.cols + 3u) / 4u;
  let tiles = (quads * units + 255u) / 256u;
  let piece = b.index / tiles;
  let i = (b.index % tiles) * 256u + thread;
  if (b.isIdle || i >= quads * units) { return; }
  let rows = rowsOfPiece(input(b, 2), piece);
  if (rows.first >= rows.end) { return; }
  let unit = i % units;
  let k = 4u * (i / units);
  // past the end the last column again
  let columns = min(vec4<u32>(k) + vec4<u32>(0u, 1u, 2u, 3u), vec4<u32>(x.cols - 1u));
  var w0 = Value(0.0);
  var w1 = Value(0.0);
  var w2 = Value(0.0);
  var w3 = Value(0.0);
  for (var row = rows.first; row < rows.end; row++) {
    let value = load(g.at / WIDTH + row * units + unit);
    let at = x.at + row * x.cols + columns;
    w0 += scalar(at.x) * value;
    w1 += scalar(at.y) * value;
    w2 += scalar(at.z) * value;
    w3 += scalar(at.w) * value;
  }
  let to = floatScratch(b) / WIDTH + (piece * x.cols + k) * units + unit;
  store(to, w0);
  if (k + 1u < x.cols) { store(to + units, w1); }
  if (k + 2u < x.cols) { store(to + 2u * units, w2); }
  if (k + 3u < x.cols) { store(to + 3u * units, w3); }
}

fn firstPiece(start: Tensor, g: u32) -> u32 { return word(start.at + g) / ROWS + g; }

fn rowsOfPiece(start: Tensor, piece: u32) -> Piece {
  var low = 0u;
  var high = start.rows - 1u;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (firstPiece(start, middle) <= piece) { low = middle; } else { high = middle; }
  }
  let first = word(start.at + low) + (piece - firstPiece(start, low)) * ROWS;
  return Piece(first, min(first + ROWS, word(start.at + low + 1u)));
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let dw = output(b, 0);
  let start = input(b, 2);
  let i = b.index * 256u + thread;
  if (b.isIdle || i * WIDTH >= dw.rows * dw.cols) { return; }
  // values of the gradient of one block
  let size = input(b, 0).cols * dw.cols / WIDTH;
  let block = i / size;
  let rows = word(start.at + block + 1u) - word(start.at + block);
  let first = firstPiece(start, block);
  var sum = Value(0.0);
  for (var p = first; (p - first) * ROWS < rows; p++) { sum += load(floatScratch(b) / WIDTH + p * size + i % size); }
  store(dw.at / WIDTH + i, sum);
}
