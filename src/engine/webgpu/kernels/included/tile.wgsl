// Tiles of dense products, included by the matrix products.
//
// A workgroup of 256 threads computes 64 × 64 entries, 16 steps of the shared axis at a time; thread t computes 4 × 4 entries, of rows
// 4·(t / 16) … and columns 4·(t mod 16) …. Each step both factors come into workgroup memory, with the shared axis first.

const STEP = 16u;
const PADDED = 68u;
var<workgroup> tileA: array<f32, 1088>;
var<workgroup> tileB: array<f32, 1088>;

// Entries (row, column … column + 3) of a matrix; zeros outside of rows < lastRow and its columns.
fn fetch4(t: Tensor, row: u32, column: u32, lastRow: u32) -> vec4<f32> {
  if (row >= lastRow || column >= t.cols) { return vec4<f32>(0.0); }
  let at = t.at + row * t.cols + column;
  if (WIDTH == 4u || column + 3u < t.cols) { return load4(at); }
  var v = vec4<f32>(scalar(at), 0.0, 0.0, 0.0);
  if (column + 1u < t.cols) { v.y = scalar(at + 1u); }
  if (column + 2u < t.cols) { v.z = scalar(at + 2u); }
  return v;
}

// Rows `row` … of a factor whose shared axis is the columns, from column k on: 64 rows of 16.
fn loadAcross(isA: bool, t: Tensor, row: u32, k: u32, lastRow: u32, thread: u32) {
  let r = thread / 4u;
  let step = 4u * (thread % 4u);
  let v = fetch4(t, row + r, k + step, lastRow);
  for (var i = 0u; i < limit(4u); i++) {
    if (isA) { tileA[(step + i) * PADDED + r] = v[i]; } else { tileB[(step + i) * PADDED + r] = v[i]; }
  }
}

// Columns `column` … of a factor whose shared axis is the rows, from row k on: 16 rows of 64.
fn loadAlong(isA: bool, t: Tensor, k: u32, column: u32, lastRow: u32, thread: u32) {
  let r = thread / 16u;
  let c = 4u * (thread % 16u);
  let v = fetch4(t, k + r, column + c, lastRow);
  for (var i = 0u; i < limit(4u); i++) {
    if (isA) { tileA[r * PADDED + c + i] = v[i]; } else { tileB[r * PADDED + c + i] = v[i]; }
  }
}

// Adds one step to the 4 × 4 entries of a thread.
fn addStep(sums: ptr<function, array<vec4<f32>, 4>>, thread: u32) {
  let r = 4u * (thread / 16u);
  let c = 4u * (thread % 16u);
  for (var k = 0u; k < limit(STEP); k++) {
    let at = k * PADDED;
    let right = vec4<f32>(tileB[at + c], tileB[at + c + 1u], tileB[at + c + 2u], tileB[at + c + 3u]);
    (*sums)[0] = fma(vec4<f32>(tileA[at + r]), right, (*sums)[0]);
    (*sums)[1] = fma(vec4<f32>(tileA[at + r + 1u]), right, (*sums)[1]);
    (*sums)[2] = fma(vec4<f32>(tileA[at + r + 2u]), right, (*sums)[2]);
    (*sums)[3] = fma(vec4<f32>(tileA[at + r + 3u]), right, (*sums)[3]);
  }
}
