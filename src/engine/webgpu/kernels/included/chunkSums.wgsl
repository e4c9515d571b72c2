// The end of a sum over chunks whose sums lie in the scratch space, `stride` values apart. A workgroup of 256 threads adds those of
// CHUNK_VALUES = 16 values: thread t the chunks t / 16, t / 16 + 16, … of value t mod 16, then the threads of a value are added by a
// tree. One thread alone would wait for one chunk after another.

var<workgroup> chunkSums: array<Value, 256>;

// The sum of the chunks of a value, for the first 16 threads; `at` is the value in the first chunk. All threads must call it.
fn addChunks(at: u32, stride: u32, count: u32, isInside: bool, thread: u32) -> Value {
  var sum = Value(0.0);
  if (isInside) {
    for (var chunk = thread / 16u; chunk < count; chunk += 16u) { sum += load(at + chunk * stride); }
  }
  chunkSums[thread] = sum;
  for (var half = limit(128u); half >= 16u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) { chunkSums[thread] += chunkSums[thread + half]; }
  }
  return chunkSums[thread];
}
