// Y[b] = X[b]·W_g, or X[b]·W_gᵀ if TRANSPOSED, where g is the block of row b: start_g ≤ b < start_{g+1}. One thread computes one value of
// four rows; the threads of a row are neighbours, so they read neighbouring values of W.
@compute @workgroup_size(256)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let b = findBlock(group);
  let y = output(b, 0);
  let x = input(b, 0);
  let units = y.cols / WIDTH;
  let i = b.index * 256u + thread;
  let first = 4u * (i / units);
  if (b.isIdle || first >= y.rows) { return; }
  let unit = i % units;
  let last = min(first + 3u, y.rows - 1u);
  let g = blockOfRow(input(b, 2), first);
  if (TRANSPOSED == 0u && g == blockOfRow(input(b, 2), last)) {
    // all rows use each value of W; a row past the end is the last one again
    let rows = x.at + min(vec4<u32>(first) + vec4<u32>(0u, 1u, 2u, 3u), vec4<u32>(last)) * x.cols;
    var y0 = Value(0.0);
    var y1 = Value(0.0);
    var y2 = Value(0.0);
    var y3 = Value(0.0);
    for (var k = 0u; k < x.cols; k++) {
      let w = load(input(b, 1).at / WIDTH + (g * x.cols + k) * units + unit);
      y0 += scalar(rows.x + k) * w;
      y1 += scalar(rows.y + k) * w;
      y2 += scalar(rows.z + k) * w;
      y3 += scalar(rows.w + k) * w;
    }
    let to = y.at / WIDTH + first * units + unit;
    store(to, y0);
    if (first + 1u <= last) { store(to + units, y1); }
    if (first + 2u <= last) { store(to + 2u * units, y2); }
    if (first + 3u <= last) { store(to + 3u * units, y3); }
    return;
  }
  for (var row = first; row <= last; row++) {
    let block = blockOfRow(input(b, 2), row);
    var value = Value(0.0);
    if (TRANSPOSED == 1u) {
      for (var c = 0u; c < WIDTH; c++) { value = withComponent(value, c, dotOfRows(b, row, block * y.cols + unit * WIDTH + c)); }
    } else {
      for (var k = 0u; k < x.cols; k++) {
        value += scalar(x.at + row * x.cols + k) * load(input(b, 1).at / WIDTH + (block * x.cols + k) * units + unit);
      }
    }
    store(y.at / WIDTH + row * units + unit, value);
  }
}

// The block of a row; blocks without rows are passed over.
fn blockOfRow(start: Tensor, row: u32) -> u32 {
  var low = 0u;
  var high = start.rows - 1u;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (word(start.at + middle) <= row) { low = middle; } else { high = middle; }
  }
  return low;
}

// ⟨X[i], W[j]⟩
fn dotOfRows(b: Block, i: u32, j: u32) -> f32 {
  let units = input(b, 0).cols / WIDTH;
  let x = input(b, 0).at / WIDTH + i * units;
  let w = input(b, 1).at / WIDTH + j * units;
  var sum = Value(0.0);
  for (var u = 0u; u < units; u++) { sum += load(x + u) * load(w + u); }
  return total(sum);
}
