// dX[r] = Σ over places p of group r, Σ_{q = p·k}^{p·k+k−1} G_q·Y[rows_⌊q/m⌋], in order; a MISSING row adds nothing, an empty group is
// zero (included/grouped.wgsl). k = |G|/|order|, m = |G|/|rows|.
struct Source { perPlace: u32, perRow: u32, g: u32, rows: u32, y: u32, units: u32 }

fn sourceOf(b: Block) -> Source {
  let g = input(b, 2);
  let rows = input(b, 3);
  let size = g.rows * g.cols;
  return Source(
    max(1u, size / max(1u, input(b, 1).rows)),
    max(1u, size / max(1u, rows.rows * rows.cols)),
    g.at, rows.at, input(b, 4).at / WIDTH, output(b, 0).cols / WIDTH,
  );
}

fn termOf(s: Source, q: u32, u: u32) -> Value {
  let row = word(s.rows + q / s.perRow);
  // without a branch, so that several terms are loaded at once
  let isPresent = row != MISSING;
  return select(Value(0.0), scalar(s.g + q) * load(s.y + select(0u, row, isPresent) * s.units + u), isPresent);
}
