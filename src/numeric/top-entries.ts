/**
 * The largest positive entries: of a stream, in descending order, or of an array that is complete.
 *
 * Entries are compared after rounding to 16 significant bits, and by index if they are then equal. So single and double precision
 * give the same ranking, and ties in symmetric graphs do not depend on the last bit.
 */

/** Bits of a float32 that rounding removes: 24 significant bits become 16. */
const DROPPED_BITS = 8;
const word = new Float32Array(1);
const bits = new Uint32Array(word.buffer);

/** An integer that grows with the number; 0 for zero and negative numbers. */
function rankKey(value: number): number {
  if (!(value > 0)) return 0;
  word[0] = value;
  return (bits[0] + (1 << (DROPPED_BITS - 1))) >>> DROPPED_BITS;
}

/** Keeps the largest entries that are offered. */
export class TopEntries {
  /** Number of entries; the arrays are valid up to here. */
  size = 0;
  readonly indices: Uint32Array;
  readonly values: Float64Array;
  readonly #keys: Uint32Array;

  constructor(capacity: number) {
    this.indices = new Uint32Array(capacity);
    this.values = new Float64Array(capacity);
    this.#keys = new Uint32Array(capacity);
  }

  clear(): void {
    this.size = 0;
  }

  /** Offers an entry. Indices must come in ascending order: of two equal entries the earlier one ranks first. */
  offer(index: number, value: number): void {
    const key = rankKey(value);
    const capacity = this.indices.length;
    if (key === 0 || (this.size === capacity && key <= this.#keys[capacity - 1])) return;
    let place = this.size === capacity ? capacity - 1 : this.size++;
    for (; place > 0 && this.#keys[place - 1] < key; place--) {
      this.#keys[place] = this.#keys[place - 1];
      this.indices[place] = this.indices[place - 1];
      this.values[place] = this.values[place - 1];
    }
    this.#keys[place] = key;
    this.indices[place] = index;
    this.values[place] = value;
  }
}

/** Selects the largest entries of complete arrays, in time proportional to their length. */
export class LargestEntries {
  readonly #keys: Uint32Array;
  readonly #counts = new Uint32Array(256);

  /** `capacity`: maximum length of the arrays. */
  constructor(capacity: number) {
    this.#keys = new Uint32Array(capacity);
  }

  /**
   * Moves the `count` largest of the first `size` entries, which are positive, to the front; returns how many they are. They stay
   * in their order; of two equal entries the earlier one ranks first.
   */
  select(indices: Uint32Array, values: Float64Array, size: number, count: number): number {
    if (size <= count) return size;
    const keys = this.#keys;
    for (let t = 0; t < size; t++) keys[t] = rankKey(values[t]);
    // the smallest key among the largest, byte by byte; `missing`: entries with this key that are kept
    let [smallest, missing] = [0, count];
    for (let shift = 24 - DROPPED_BITS; shift >= 0; shift -= 8) {
      this.#counts.fill(0);
      for (let t = 0; t < size; t++)
        if (keys[t] >>> (shift + 8) === smallest) this.#counts[(keys[t] >>> shift) & 255]++;
      let byte = 255;
      while (this.#counts[byte] < missing) missing -= this.#counts[byte--];
      smallest = smallest * 256 + byte;
    }
    let kept = 0;
    for (let t = 0; t < size; t++) {
      if (keys[t] < smallest || (keys[t] === smallest && missing-- <= 0)) continue;
      indices[kept] = indices[t];
      values[kept++] = values[t];
    }
    return kept;
  }
}
