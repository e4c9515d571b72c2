// A row of the gradients of normalizeRows and softmaxRows. LANES threads share it; each reads its values of G before it writes dX, which
// may be G. All threads of the workgroup must call the function.

// Places of the row in G, Y and dX, its number of values, 0 beyond the last row, and ⟨G[i], Y[i]⟩.
struct GradientRow { row: u32, count: u32, g: u32, y: u32, dx: u32, dot: f32 }

fn gradientRow(b: Block, thread: u32) -> GradientRow {
  let g = input(b, 0);
  let row = b.index * (256u / LANES) + thread / LANES;
  let width = g.cols / WIDTH;
  let count = select(0u, width, row < g.rows);
  let gAt = g.at / WIDTH + row * width;
  let yAt = input(b, 1).at / WIDTH + row * width;
  var sum = Value(0.0);
  for (var k = thread % LANES; k < count; k += LANES) { sum += load(gAt + k) * load(yAt + k); }
  let dot = sumOver(LANES, thread, total(sum));
  return GradientRow(row, count, gAt, yAt, output(b, 0).at / WIDTH + row * width, dot);
}
