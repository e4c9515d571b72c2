// Repulsion between the points y of the plane, over all pairs, and sums of a workgroup.
//
// A workgroup has one point per thread and compares it with tiles of 256 other points. The pairs of a block of 256 points are divided into
// `numParts` parts of whole tiles, each for one workgroup; the last parts may be empty.

var<workgroup> others: array<vec2<f32>, 256>;
var<workgroup> sums: array<vec4<f32>, 256>;

fn numBlocks(n: u32) -> u32 { return (n + 255u) / 256u; }
// as in pairs.ts
fn numParts(n: u32) -> u32 { return min(numBlocks(n), (1023u + numBlocks(n)) / numBlocks(n)); }

fn pointAt(y: Tensor, i: u32) -> vec2<f32> { return vec2(load(y.at + 2u * i), load(y.at + 2u * i + 1u)); }

// x, y: Σ q²·(y_i − y_j); z: Σ q, with q = 1/(1 + |y_i − y_j|²), over the points j ≠ i of part `part`. Points at the same place count.
fn repel(y: Tensor, i: u32, part: u32, thread: u32) -> vec3<f32> {
  let own = pointAt(y, min(i, y.rows - 1u));
  let size = (numBlocks(y.rows) + numParts(y.rows) - 1u) / numParts(y.rows) * 256u;
  let end = min(y.rows, (part + 1u) * size);
  var all = vec3(0.0);
  for (var first = part * size; first < end; first += 256u) {
    workgroupBarrier();
    others[thread] = pointAt(y, min(first + thread, y.rows - 1u));
    workgroupBarrier();
    let count = min(256u, end - first);
    // sums of a tile, then their sum: less rounding than one long sum
    var near = vec3(0.0);
    for (var j = 0u; j < count; j++) {
      let away = own - others[j];
      let q = select(1.0 / (1.0 + dot(away, away)), 0.0, first + j == i);
      near += vec3(q * q * away, q);
    }
    all += near;
  }
  return all;
}

// The sum of `value` over groups of `size` threads, a power of two, in the first thread of each group.
fn sumGroups(value: vec4<f32>, thread: u32, size: u32) -> vec4<f32> {
  workgroupBarrier();
  sums[thread] = value;
  for (var half = limit(size / 2u); half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread % size < half) { sums[thread] += sums[thread + half]; }
  }
  return sums[thread];
}

// The sum of `count` floats: thread t adds the floats t, t + 256, …, then a tree adds the threads. In thread 0.
fn sumFloats(at: u32, count: u32, thread: u32) -> f32 {
  var part = 0.0;
  for (var i = thread; i < count; i += 256u) { part += load(at + i); }
  return sumGroups(vec4(part), thread, 256u).x;
}
