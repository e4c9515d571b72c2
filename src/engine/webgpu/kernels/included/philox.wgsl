// Random words: one block of Philox 4×32-10 (core/rng.ts). Every engine draws the same words.

// The upper 32 bits of the product of two words.
fn multiplyHigh(a: u32, b: u32) -> u32 {
  let aLow = a & 0xffffu;
  let aHigh = a >> 16u;
  let bLow = b & 0xffffu;
  let bHigh = b >> 16u;
  let middle = aHigh * bLow + ((aLow * bLow) >> 16u);
  return aHigh * bHigh + (middle >> 16u) + ((aLow * bHigh + (middle & 0xffffu)) >> 16u);
}

// The words of the counter (c0, c1, c2, 0) under a key.
fn philox(key: vec2<u32>, c0: u32, c1: u32, c2: u32) -> vec4<u32> {
  var c = vec4<u32>(c0, c1, c2, 0u);
  var k = key;
  for (var round = 0u; round < limit(10u); round++) {
    c = vec4<u32>(
      multiplyHigh(0xcd9e8d57u, c.z) ^ c.y ^ k.x,
      0xcd9e8d57u * c.z,
      multiplyHigh(0xd2511f53u, c.x) ^ c.w ^ k.y,
      0xd2511f53u * c.x,
    );
    k += vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
  }
  return c;
}

// Uniform integer below `bound` from a random word: the upper half of their product.
fn below(random: u32, bound: u32) -> u32 { return multiplyHigh(random, bound); }

// Whether an event of this probability happens, by a random word. Probabilities are fractions of 2³²; the largest word means 1.
fn falls(random: u32, probability: u32) -> bool { return random < probability || probability == 0xffffffffu; }
