// Sums and maxima over neighbouring threads of a workgroup of 256, by a fixed tree. `lanes` is their number, a power of two. All threads
// of the workgroup must call these functions; every thread receives the result of its own lanes.

var<workgroup> parts: array<f32, 256>;

fn sumOver(lanes: u32, thread: u32, value: f32) -> f32 {
  // the results of an earlier call have been read
  workgroupBarrier();
  parts[thread] = value;
  for (var half = limit(lanes / 2u); half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread % lanes < half) { parts[thread] += parts[thread + half]; }
  }
  workgroupBarrier();
  return parts[thread - thread % lanes];
}

fn maxOver(lanes: u32, thread: u32, value: f32) -> f32 {
  workgroupBarrier();
  parts[thread] = value;
  for (var half = limit(lanes / 2u); half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread % lanes < half) { parts[thread] = max(parts[thread], parts[thread + half]); }
  }
  workgroupBarrier();
  return parts[thread - thread % lanes];
}
