// The end of a sum over blocks whose sums lie in the scratch space: y = s·Σ. A workgroup of 256 threads adds them: thread t the blocks
// t, t + 256, …, then the threads are added by a tree. No blocks: 0. The kernel defines numBlocks(b) and factor(b).

fn storeBlock(b: Block, sum: f32) { store(floatScratch(b) / WIDTH + b.index, Value(sum)); }

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  var sum = 0.0;
  for (var k = thread; k < numBlocks(b); k += 256u) { sum += scalar(floatScratch(b) + WIDTH * k); }
  let all = sumOver(256u, thread, sum);
  // y may be written as a whole value: its storage has room for it
  if (thread == 0u) { store(output(b, 0).at / WIDTH, Value(factor(b) * all)); }
}
