// Sums and maxima over neighbouring threads of a workgroup of 256, by a fixed tree in which a thread joins four parts. `lanes` is the
// number of neighbours, a power of two. All threads of the workgroup must call these functions; every thread receives the result of
// its own lanes.

var<workgroup> parts: array<vec2<f32>, 256>;

// Threads of each tree that still have a part after a step, of `count` before it.
fn joined(count: u32) -> u32 { return (count + 3u) / 4u; }

fn sumsOver(lanes: u32, thread: u32, values: vec2<f32>) -> vec2<f32> {
  if (lanes == 1u) { return values; }
  // the results of an earlier call have been read
  workgroupBarrier();
  parts[thread] = values;
  for (var count = lanes; count > 1u; count = joined(count)) {
    workgroupBarrier();
    let next = joined(count);
    if (thread % lanes < next) {
      for (var k = next; k < count; k += next) { parts[thread] += parts[thread + k]; }
    }
  }
  workgroupBarrier();
  return parts[thread - thread % lanes];
}

fn sumOver(lanes: u32, thread: u32, value: f32) -> f32 { return sumsOver(lanes, thread, vec2<f32>(value, 0.0)).x; }

fn maxOver(lanes: u32, thread: u32, value: f32) -> f32 {
  if (lanes == 1u) { return value; }
  workgroupBarrier();
  parts[thread].x = value;
  for (var count = lanes; count > 1u; count = joined(count)) {
    workgroupBarrier();
    let next = joined(count);
    if (thread % lanes < next) {
      for (var k = next; k < count; k += next) { parts[thread].x = max(parts[thread].x, parts[thread + k].x); }
    }
  }
  workgroupBarrier();
  return parts[thread - thread % lanes].x;
}
