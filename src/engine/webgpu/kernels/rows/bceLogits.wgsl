// y = s·Σ w_i·(max(ℓ, 0) − ℓ·t + log(1 + exp(−|ℓ|))), without weights w = 1 (entrySum.wgsl). No entries: 0.
fn factor(b: Block) -> f32 { return floatAttribute(b, 0); }

fn summands(b: Block, i: u32) -> Value {
  let l = load(input(b, 0).at / WIDTH + i);
  let t = load(input(b, 1).at / WIDTH + i);
  let loss = (max(l, Value(0.0)) - l * t) + logOnePlusExp(l);
  if (intAttribute(b, 1) == 0u) { return loss; }
  return rowWeights(input(b, 2).at, 4u * i, input(b, 0).cols) * loss;
}
