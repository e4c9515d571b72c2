// A sum over the entries of input 0, in blocks of ENTRIES; then the blocks (blockSum.wgsl). A workgroup of 256 threads sums a block:
// thread t adds values t, t + 256, …, then the threads are added by a tree. The kernel defines summands(b, i): those of entries
// 4i … 4i + 3; what it gives past the last entry is not used.

fn numBlocks(b: Block) -> u32 { return (input(b, 0).rows * input(b, 0).cols + ENTRIES - 1u) / ENTRIES; }

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let size = input(b, 0).rows * input(b, 0).cols;
  let first = b.index * ENTRIES;
  let count = min(ENTRIES, size - first);
  var sum = vec4<f32>(0.0);
  for (var e = 4u * thread; e < count; e += 1024u) {
    let isInside = vec4<u32>(e) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(count);
    sum += select(vec4<f32>(0.0), summands(b, (first + e) / 4u), isInside);
  }
  let all = sumOver(256u, thread, total(sum));
  if (thread == 0u) { storeBlock(b, all); }
}
