// One step down the gradient with momentum and a gain per coordinate; the op has the formula.
//
// run: one thread moves one point; the moved points of a workgroup are summed by a tree. finish: one thread subtracts the mean from one
// point; each workgroup adds all partial sums: thread t adds the sums t, t + 256, …, then a tree adds the threads.
//
// Scratch: sums of x and y [workgroups, 2].

// as in the op
const MIN_GAIN = 0.01;
var<workgroup> sums: array<vec2<f32>, 256>;

// The sum over all threads.
fn sumThreads(value: vec2<f32>, thread: u32) -> vec2<f32> {
  sums[thread] = value;
  for (var half = limit(128u); half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) { sums[thread] += sums[thread + half]; }
  }
  workgroupBarrier();
  return sums[0];
}

// Moves the coordinate at offset k; returns its new value.
fn moveCoordinate(b: Block, k: u32) -> f32 {
  let schedule = input(b, 4).at;
  let g = load(input(b, 3).at + k);
  let v = load(input(b, 1).at + k);
  let oldGain = load(input(b, 2).at + k);
  let isOpposed = (g > 0.0 && v < 0.0) || (g < 0.0 && v > 0.0);
  let gain = max(select(0.8 * oldGain, oldGain + 0.2, isOpposed), MIN_GAIN);
  let velocity = load(schedule) * v - load(schedule + 1u) * gain * g;
  let moved = load(input(b, 0).at + k) + velocity;
  store(input(b, 0).at + k, moved);
  store(input(b, 1).at + k, velocity);
  store(input(b, 2).at + k, gain);
  return moved;
}

@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let i = b.index * 256u + thread;
  var moved = vec2(0.0);
  if (i < input(b, 0).rows) { moved = vec2(moveCoordinate(b, 2u * i), moveCoordinate(b, 2u * i + 1u)); }
  let sum = sumThreads(moved, thread);
  if (thread < 2u) { store(floatScratch(b) + 2u * b.index + thread, sum[thread]); }
}

@compute @workgroup_size(256)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  if (b.isIdle) { return; }
  let y = input(b, 0);
  var part = vec2(0.0);
  for (var k = thread; k * 256u < y.rows; k += 256u) {
    part += vec2(load(floatScratch(b) + 2u * k), load(floatScratch(b) + 2u * k + 1u));
  }
  let mean = sumThreads(part, thread) / f32(y.rows);
  let i = b.index * 256u + thread;
  if (i >= y.rows) { return; }
  let at = y.at + 2u * i;
  store(at, load(at) - mean.x);
  store(at + 1u, load(at + 1u) - mean.y);
}
