// The softmax of a row of logits ℓ, computed relative to the largest logit, so that nothing overflows: Σ_j exp(ℓ_j − largest) is
// 1 + others. `others` is summed on its own: it has the digits of small losses. LANES threads share the row; all threads of the
// workgroup must call the function.

const LOWEST = -3.4e38;

struct Softmax { largest: f32, others: f32 }

// The row of `count` values at address `at`; no values for threads without a row.
fn softmaxOf(at: u32, count: u32, thread: u32) -> Softmax {
  var highest = Value(LOWEST);
  for (var k = thread % LANES; k < count; k += LANES) { highest = max(highest, load(at + k)); }
  let top = maxOver(LANES, thread, largest(highest));
  var rest = Value(0.0);
  var ties = Value(0.0);
  for (var k = thread % LANES; k < count; k += LANES) {
    let l = load(at + k);
    // by their bits, so that NaN never counts as the largest
    let isLargest = bitcast<Bits>(l) == Bits(bitcast<u32>(top));
    ties += select(Value(0.0), Value(1.0), isLargest);
    rest += select(exponential(l - top), Value(0.0), isLargest);
  }
  let sums = sumsOver(LANES, thread, vec2<f32>(total(rest), total(ties)));
  return Softmax(top, sums.x + (sums.y - 1.0));
}
