// Y = diag(left)·(A ⊙ values)·diag(right)·X with a tensor of values, one per stored entry; entry e has value order_e if the second attribute is 1.
// included/product.wgsl says which thread computes what.

const SOURCE = 0u;
var<private> values: u32;
var<private> order: u32;
var<private> isReordered: bool;

fn entryWeight(m: Matrix, e: u32) -> f32 {
  var value: f32;
  if (isReordered) { value = scalar(values + word(order + e)); } else { value = scalar(values + e); }
  if (m.weights == NONE) { return value; }
  return scalar(m.weights + e) * value;
}

fn readInputs(b: Block) {
  readSource(b);
  values = input(b, 1).at;
  order = input(b, 2).at;
  isReordered = intAttribute(b, 1) == 1u;
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  readInputs(b);
  let m = matrixAt(intAttribute(b, 0));
  let rowValues = x.cols / WIDTH;
  let at = findLane(b.index, thread, m.numRows, rowValues);
  let sum = addParts(partOfRow(m, at, rowValues, floatScratch(b), chunkPlace(b, m)), thread, at.part);
  if (at.isActive && at.part == 0u) {
    store(output(b, 0).at / WIDTH + at.row * rowValues + at.c, leftScale(m, at.row) * sum);
  }
}
