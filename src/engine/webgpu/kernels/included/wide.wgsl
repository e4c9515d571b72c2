// Whole numbers of 64 bits as pairs of words, the lower one first. Kernels include philox.wgsl before it.

alias Wide = vec2<u32>;

fn wideSum(a: Wide, b: Wide) -> Wide {
  let low = a.x + b.x;
  return Wide(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// a − b, b at most a
fn wideDifference(a: Wide, b: Wide) -> Wide { return Wide(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x)); }

fn isLess(a: Wide, b: Wide) -> bool { return a.y < b.y || (a.y == b.y && a.x < b.x); }

fn wideProduct(a: u32, b: u32) -> Wide { return Wide(a * b, multiplyHigh(a, b)); }

// The lower 64 bits of a·b.
fn wideTimes(a: Wide, b: u32) -> Wide { return wideProduct(a.x, b) + Wide(0u, a.y * b); }

struct Division { quotient: Wide, rest: u32 }

// Long division, bit by bit; d is not 0.
fn wideDivide(a: Wide, d: u32) -> Division {
  var quotient = Wide(0u, a.y / d);
  var rest = a.y % d;
  for (var bit = 32u; bit > 0u; bit--) {
    // the bit that the shift drops
    let isFull = rest >= 0x80000000u;
    rest = (rest << 1u) | ((a.x >> (bit - 1u)) & 1u);
    if (isFull || rest >= d) {
      rest -= d;
      quotient.x |= 1u << (bit - 1u);
    }
  }
  return Division(quotient, rest);
}

// ⌊u·bound⌋, at most bound − 1, with the fraction u = U/2⁵³ of 53 bits from two words: as if u·bound were rounded to a float64. `bound` is
// from 1 to 2⁵³ − 1.
fn wideBelow(high: u32, low: u32, bound: Wide) -> Wide {
  let u = Wide(((high >> 5u) << 26u) | (low >> 6u), high >> 11u);
  // U·bound in four words p: the fraction in the lower 53 bits, the whole part above it
  let first = wideProduct(u.x, bound.x);
  let middle = wideSum(wideSum(wideProduct(u.x, bound.y), wideProduct(u.y, bound.x)), Wide(first.y, 0u));
  let last = wideSum(wideProduct(u.y, bound.y), Wide(middle.y, 0u));
  let p = vec4<u32>(first.x, middle.x, last.x, last.y);
  var whole = Wide((p.y >> 21u) | (p.z << 11u), (p.z >> 21u) | (p.w << 11u));
  // The float64 has 53 bits in all. If the whole part has n bits, the last bit of the fraction is worth 2ⁿ, so a fraction of at least
  // 2⁵³ − 2ⁿ⁻¹ is rounded up to the next whole number.
  if (whole.x != 0u || whole.y != 0u) {
    var half = Wide(1u << firstLeadingBit(max(whole.x, 1u)), 0u);
    if (whole.y != 0u) { half = Wide(0u, 1u << firstLeadingBit(whole.y)); }
    let rounded = wideSum(Wide(p.x, p.y & 0x1fffffu), half);
    if (rounded.y >= 0x200000u) { whole = wideSum(whole, Wide(1u, 0u)); }
  }
  if (isLess(whole, bound)) { return whole; }
  return wideDifference(bound, Wide(1u, 0u));
}
