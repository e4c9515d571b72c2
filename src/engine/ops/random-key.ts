/**
 * Random numbers of ops. A key is two words, drawn again for every replay. Kernel and reference take word k of Philox(counter,
 * key), so the draws of an op depend on its key and its counters alone and are the same on every engine.
 */

import { philox } from "../../core/rng.js";
import type { HostTensor, ProgramBuilder, Tensor } from "../program.js";

/** A key [1, 2], drawn again for every replay. Each use needs its own purpose, so that the streams are independent. */
export function randomKey(builder: ProgramBuilder, purpose: string): Tensor {
  return builder.random(purpose, [{ rows: 1, cols: 2, dtype: "index" }], ([words], rng) => {
    words[0] = rng.uint32();
    words[1] = rng.uint32();
  })[0];
}

/** The four words of a counter, written into `block`. */
export function drawBlock(block: Uint32Array, key: HostTensor, c0: number, c1 = 0, c2 = 0): Uint32Array {
  block[0] = c0;
  block[1] = c1;
  block[2] = c2;
  block[3] = 0;
  philox(block, key.data[0], key.data[1]);
  return block;
}

/** A probability as a fraction of 2³², for `falls`. */
export function probabilityWord(probability: number): number {
  return Math.min(0xffffffff, Math.round(probability * 0x1_0000_0000));
}

/** Whether an event of this probability happens, by a random word. The largest probability word means 1. */
export function falls(word: number, probability: number): boolean {
  return word < probability || probability === 0xffffffff;
}
