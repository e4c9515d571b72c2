/**
 * Counter-based random numbers: Philox 4×32-10 (Salmon, Moraes, Dror, Shaw, SC 2011).
 *
 * A stream is named by (seed, purpose, epoch); its i-th block of four 32-bit words depends on nothing else. Hence every
 * engine and any number of threads draw the same numbers, in any order, and a resumed run draws what an unbroken one
 * would have drawn. `epoch` counts what is repeated for one purpose: in training the steps, of which an epoch may have
 * several.
 */

import { InputError, InternalError } from "./errors.js";
import { valueText } from "./validation.js";

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/** The upper 32 bits of the product of two unsigned 32-bit integers. */
export function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const low = aLow * bLow;
  const middle = aHigh * bLow + (low >>> 16);
  const middleLow = (middle & 0xffff) + aLow * bHigh;
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(middleLow / 0x10000)) >>> 0;
}

/** One Philox block: encrypts the counter `c` in place under the key (k0, k1). */
export function philox(c: Uint32Array, k0: number, k1: number): void {
  let c0 = c[0];
  let c1 = c[1];
  let c2 = c[2];
  let c3 = c[3];
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0);
    const low0 = Math.imul(MULTIPLIER_0, c0) >>> 0;
    const high1 = multiplyHigh(MULTIPLIER_1, c2);
    const low1 = Math.imul(MULTIPLIER_1, c2) >>> 0;
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + WEYL_0) >>> 0;
    k1 = (k1 + WEYL_1) >>> 0;
  }
  c[0] = c0;
  c[1] = c1;
  c[2] = c2;
  c[3] = c3;
}

/** FNV-1a over the UTF-16 code units of a purpose: names become 32-bit stream numbers. */
function hashPurpose(purpose: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < purpose.length; i++) {
    hash ^= purpose.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** The words that name a stream to a kernel: key (seed low, seed high ⊕ purpose) and the counter's upper half. */
export function streamKey(seed: number, purpose: string, epoch = 0): [number, number, number] {
  const high = Math.floor(seed / 0x1_0000_0000) >>> 0;
  return [seed >>> 0, (hashPurpose(purpose) ^ high) >>> 0, epoch >>> 0];
}

/** A sequential reader of one stream. */
export class Rng {
  readonly #block = new Uint32Array(4);
  readonly #key0: number;
  readonly #key1: number;
  readonly #epoch: number;
  #counter = 0;
  #used = 4;

  readonly seed: number;
  readonly purpose: string;
  readonly epoch: number;

  /** @param seed non-negative integer below 2^53 */
  constructor(seed: number, purpose: string, epoch = 0) {
    if (!(Number.isSafeInteger(seed) && seed >= 0)) {
      throw new InputError(`seed: found ${valueText(seed)}; expected a whole number from 0 to 2⁵³ − 1.`);
    }
    this.seed = seed;
    this.purpose = purpose;
    this.epoch = epoch;
    [this.#key0, this.#key1, this.#epoch] = streamKey(seed, purpose, epoch);
  }

  /** An independent stream of the same seed; it differs for each epoch of this stream. */
  fork(purpose: string, epoch = 0): Rng {
    const prefix = this.epoch === 0 ? this.purpose : `${this.purpose} ${this.epoch}`;
    return new Rng(this.seed, `${prefix}/${purpose}`, epoch);
  }

  /** Uniform 32-bit integer. */
  uint32(): number {
    if (this.#used === 4) this.#nextBlock();
    return this.#block[this.#used++];
  }

  #nextBlock(): void {
    this.#block[0] = this.#counter >>> 0;
    this.#block[1] = Math.floor(this.#counter / 0x1_0000_0000);
    this.#block[2] = this.#epoch;
    this.#block[3] = 0;
    philox(this.#block, this.#key0, this.#key1);
    this.#counter++;
    this.#used = 0;
  }

  /** Uniform in [0, 1) with 53 random bits. */
  uniform(): number {
    return ((this.uint32() >>> 5) * 0x4000000 + (this.uint32() >>> 6)) / 0x20000000000000;
  }

  /** Fills `out` with uniform numbers in ±bound, 32 random bits each: what float32 can tell apart, in half the words. */
  fillSymmetric(out: Float32Array | Float64Array, bound: number): void {
    const scale = bound / 0x8000_0000;
    for (let i = 0; i < out.length; i++) {
      // words are read here, not returned: a returned number above 2³¹ may be put on the heap
      if (this.#used === 4) this.#nextBlock();
      out[i] = (this.#block[this.#used++] - 2147483647.5) * scale;
    }
  }

  /** Uniform integer in [0, bound), without bias; `bound` from 1 to 2³². */
  below(bound: number): number {
    if (!(bound >= 1 && bound <= 0x1_0000_0000)) throw new InternalError(`Rng.below(${bound}): not from 1 to 2³²`);
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % bound);
    let word = this.uint32();
    while (word >= limit) word = this.uint32();
    return word % bound;
  }

  /** Standard normal (Box–Muller, the cosine branch). */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Fills `out` with a uniformly random permutation of 0 … n−1 (Fisher–Yates). */
  permutation(out: Uint32Array): void {
    for (let i = 0; i < out.length; i++) out[i] = i;
    for (let i = out.length - 1; i > 0; i--) {
      // as below(i + 1), without numbers on the heap: this runs in every epoch
      const limit = 0x1_0000_0000 - (0x1_0000_0000 % (i + 1));
      let j: number;
      do {
        if (this.#used === 4) this.#nextBlock();
        j = this.#block[this.#used++];
      } while (j >= limit);
      j %= i + 1;
      const swap = out[i];
      out[i] = out[j];
      out[j] = swap;
    }
  }
}
