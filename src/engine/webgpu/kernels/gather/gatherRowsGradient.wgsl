// dX[r] = Σ of G[p] over the places p of group r, in order; zeros for an empty group (included/grouped.wgsl).
struct Source { perPlace: u32, g: u32, units: u32 }

fn sourceOf(b: Block) -> Source { return Source(1u, input(b, 2).at / WIDTH, output(b, 0).cols / WIDTH); }

fn termOf(s: Source, q: u32, u: u32) -> Value { return load(s.g + q * s.units + u); }
