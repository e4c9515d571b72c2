// y = s·Σ_i Σ_k t_ik·(log Σ_j exp(ℓ_ij) − ℓ_ik). run: a workgroup sums ROWS rows, 256 / LANES at a time, LANES threads each; then the
// threads are added by a tree. finish (blockSum.wgsl): the workgroups. No rows: 0.

fn numBlocks(b: Block) -> u32 { return (input(b, 0).rows + ROWS - 1u) / ROWS; }
fn factor(b: Block) -> f32 { return floatAttribute(b, 0); }

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let logits = input(b, 0);
  let width = logits.cols / WIDTH;
  let end = min(logits.rows, (b.index + 1u) * ROWS);
  var sum = Value(0.0);
  for (var first = b.index * ROWS; first < end; first += 256u / LANES) {
    let row = first + thread / LANES;
    let count = select(0u, width, row < end);
    let at = logits.at / WIDTH + row * width;
    let targetsAt = input(b, 1).at / WIDTH + row * width;
    let found = softmaxOf(at, count, thread);
    let others = Value(found.others);
    let log = select(logarithm(1.0 + others), logOnePlus(others), others <= Value(1.0));
    for (var k = thread % LANES; k < count; k += LANES) {
      sum += load(targetsAt + k) * ((found.largest - load(at + k)) + log);
    }
  }
  let all = sumOver(256u, thread, total(sum));
  if (thread == 0u) { storeBlock(b, all); }
}
