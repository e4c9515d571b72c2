// One block of Philox 4×32-10 (see core/rng.ts): not a kernel. The four words are returned in globals; every thread has its own.

export let w0: u32 = 0;
export let w1: u32 = 0;
export let w2: u32 = 0;
export let w3: u32 = 0;

/** Sets w0 … w3 to the words of the counter (c0, c1, c2, 0) under the key that `key` points at. */
// @ts-ignore: decorator
@inline
export function philox(key: usize, c0: u32, c1: u32, c2: u32): void {
  philoxOf(load<u32>(key), load<u32>(key, 4), c0, c1, c2);
}

/** As `philox`, under the key (k0, k1). */
export function philoxOf(k0: u32, k1: u32, c0: u32, c1: u32, c2: u32): void {
  let c3: u32 = 0;
  for (let round = 0; round < 10; round++) {
    const p0 = <u64>0xd2511f53 * <u64>c0, p1 = <u64>0xcd9e8d57 * <u64>c2;
    c0 = <u32>(p1 >> 32) ^ c1 ^ k0;
    c1 = <u32>p1;
    c2 = <u32>(p0 >> 32) ^ c3 ^ k1;
    c3 = <u32>p0;
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
  w0 = c0;
  w1 = c1;
  w2 = c2;
  w3 = c3;
}

/** Uniform integer below `bound` from a random word: the upper half of their product. */
// @ts-ignore: decorator
@inline
export function below(random: u32, bound: u32): u32 {
  return <u32>((<u64>random * <u64>bound) >> 32);
}

/** Whether an event of this probability happens, by a random word. Probabilities are fractions of 2³²; the largest word means 1. */
// @ts-ignore: decorator
@inline
export function falls(random: u32, probability: u32): bool {
  return random < probability || probability == 0xffffffff;
}
