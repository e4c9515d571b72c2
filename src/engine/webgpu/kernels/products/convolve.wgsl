// Y = s·max(M·X + 1·b, 0), and a mask with a bit for each entry, set where M·X + 1·b > 0; its rows are padded to whole words.
//
// included/product.wgsl says which thread computes what. The threads of a row leave their bits in workgroup memory, and one thread
// for each word of the mask joins them.

const SOURCE = 0u;
var<workgroup> bits: array<u32, 256>;

// Threads whose bits form one word.
const JOINED = min(LANES, 32u / WIDTH);

fn readInputs(b: Block) { readSource(b); }
fn entryWeight(m: Matrix, e: u32) -> f32 { return scalar(m.weights + e); }

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readInputs(b);
  let m = matrixAt(intAttribute(b, 0));
  let rowValues = x.cols / WIDTH;
  let at = findLane(b.index, thread, m.numRows, rowValues);
  var sum = addParts(partOfRow(m, at, rowValues, floatScratch(b), chunkPlace(b, m)), thread, at.part);
  let isResult = at.isActive && at.part == 0u;
  var own = 0u;
  if (isResult) {
    if (m.diagonal != 0.0) { sum += diagonalWeight(m, at.row) * sourceValue(at.row, at.c); }
    let value = leftScale(m, at.row) * sum + load(input(b, 1).at / WIDTH + at.c);
    own = positiveBits(value);
    store(output(b, 0).at / WIDTH + at.row * rowValues + at.c, floatAttribute(b, 1) * rectify(value));
  }
  bits[thread] = own << ((at.lane % JOINED) * WIDTH);
  workgroupBarrier();
  if (isResult && at.lane % JOINED == 0u) {
    var joined = 0u;
    for (var k = 0u; k < limit(JOINED); k++) { joined |= bits[thread + k]; }
    let words = (x.cols + 31u) / 32u;
    setWord(output(b, 1).at + at.row * words + at.c * WIDTH / 32u, joined);
  }
}
