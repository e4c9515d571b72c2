// Starting values of parameters, with the random numbers of core/rng.ts: not a kernel.
import { philoxOf, w0, w1, w2, w3 } from "./philox";

/**
 * Uniform numbers in ±bound, with the bits of Rng.fillSymmetric from its entry 4·first on. Storage is padded: the last block may run
 * past the end.
 */
export function fillSymmetric(to: usize, count: u32, key0: u32, key1: u32, epoch: u32, bound: f64, first: u32): void {
  const scale = bound / 2147483648.0, blocks = (<u64>count + 3) >> 2;
  for (let b: u64 = 0; b < blocks; b++, to += 16) {
    const counter = b + first;
    philoxOf(key0, key1, <u32>counter, <u32>(counter >> 32), epoch);
    store<f32>(to, <f32>((<f64>w0 - 2147483647.5) * scale));
    store<f32>(to, <f32>((<f64>w1 - 2147483647.5) * scale), 4);
    store<f32>(to, <f32>((<f64>w2 - 2147483647.5) * scale), 8);
    store<f32>(to, <f32>((<f64>w3 - 2147483647.5) * scale), 12);
  }
}
