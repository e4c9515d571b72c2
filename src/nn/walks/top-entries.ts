/**
 * The largest positive entries of a stream, in descending order.
 *
 * Entries are compared after rounding to 16 significant bits, equal ones by their index: what single and double precision
 * compute alike is then ranked alike, and ties of symmetric graphs do not hang on the last bit.
 */

const DROPPED_BITS = 8;
const word = new Float32Array(1);
const bits = new Uint32Array(word.buffer);

/** A positive number as an integer that grows with it; zero and below as 0. */
function rankKey(value: number): number {
  if (!(value > 0)) return 0;
  word[0] = value;
  return (bits[0] + (1 << (DROPPED_BITS - 1))) >>> DROPPED_BITS;
}

export class TopEntries {
  /** Entries held; the arrays are valid up to here. */
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

  /** Offers an entry; indices come in ascending order, so that an equal one that comes later ranks later. */
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
