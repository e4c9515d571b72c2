// A row of the gradients of normalizeRows and softmaxRows. Each thread reads its values of G before it writes dX, which may be G. All
// threads of the workgroup must call the function.

// The row, its number of values, its places in G, Y and dX, and ⟨G[i], Y[i]⟩.
struct GradientRow { row: u32, count: u32, g: u32, y: u32, dx: u32, dot: f32 }

fn gradientRow(b: Block, thread: u32) -> GradientRow {
  let own = laneRow(input(b, 0), b, thread);
  let gAt = rowAt(input(b, 0), own.row);
  let yAt = rowAt(input(b, 1), own.row);
  var sum = Value(0.0);
  for (var k = thread % LANES; k < own.count; k += LANES) { sum += load(gAt + k) * load(yAt + k); }
  let dot = sumOver(LANES, thread, total(sum));
  return GradientRow(own.row, own.count, gAt, yAt, rowAt(output(b, 0), own.row), dot);
}
