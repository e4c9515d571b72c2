// y = s·Σ (x − c)², without a centre c = 0 (entrySum.wgsl). No entries: 0.
fn factor(b: Block) -> f32 { return floatAttribute(b, 0); }

fn summands(b: Block, i: u32) -> Value {
  var difference = load(input(b, 0).at / WIDTH + i);
  if (intAttribute(b, 1) != 0u) { difference -= load(input(b, 1).at / WIDTH + i); }
  return difference * difference;
}
