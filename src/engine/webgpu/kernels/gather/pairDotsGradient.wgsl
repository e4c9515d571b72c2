// dX[r] = Σ over places p of group r, Σ_{q = p·k}^{p·k+k−1} (H_q + G_q·U[u_⌊q/m⌋])∘V[v_⌊q/l⌋], in order; without H if the attribute is 0.
// A MISSING row adds nothing, an empty group is zero (included/grouped.wgsl). k = |G|/|order|, m = |G|/|u|, l = |G|/|v|.
struct Source {
  perPlace: u32, g: u32, h: u32, plain: bool,
  uIndex: u32, perU: u32, u: u32, vIndex: u32, perV: u32, v: u32, units: u32,
}

fn sourceOf(b: Block) -> Source {
  let g = input(b, 2);
  let uIndex = input(b, 4);
  let vIndex = input(b, 6);
  let size = g.rows * g.cols;
  return Source(
    max(1u, size / max(1u, input(b, 1).rows)), g.at, input(b, 3).at, intAttribute(b, 0) != 0u,
    uIndex.at, max(1u, size / max(1u, uIndex.rows * uIndex.cols)), input(b, 5).at / WIDTH,
    vIndex.at, max(1u, size / max(1u, vIndex.rows * vIndex.cols)), input(b, 7).at / WIDTH,
    output(b, 0).cols / WIDTH,
  );
}

fn termOf(s: Source, q: u32, c: u32) -> Value {
  let i = word(s.uIndex + q / s.perU);
  let j = word(s.vIndex + q / s.perV);
  // without a branch on the indices, so that several terms are loaded at once
  let isPresent = i != MISSING && j != MISSING;
  var factor = scalar(s.g + q) * load(s.u + select(0u, i, isPresent) * s.units + c);
  if (s.plain) { factor += scalar(s.h + q); }
  return select(Value(0.0), factor * load(s.v + select(0u, j, isPresent) * s.units + c), isPresent);
}
