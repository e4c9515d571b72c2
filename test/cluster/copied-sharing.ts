/** Processes that share results as copies: for tests without shared files. */

import { deserialize, serialize } from "node:v8";
import type { Sharing } from "../../src/core/sharing.js";
import type { Ranks } from "../../src/engine/ranks.js";

export class CopiedSharing implements Sharing {
  readonly #ranks: Ranks;

  constructor(ranks: Ranks) {
    this.#ranks = ranks;
  }

  get size(): number {
    return this.#ranks.size;
  }

  async once<T>(make: () => T | Promise<T>): Promise<T> {
    return this.#gather(this.#ranks.rank === 0 ? await make() : undefined)[0] as T;
  }

  async byRows<T>(numRows: number, make: (begin: number, end: number) => T | Promise<T>): Promise<readonly T[]> {
    const { rank, size } = this.#ranks;
    const bound = (r: number) => Math.floor((numRows * r) / size);
    return this.#gather(await make(bound(rank), bound(rank + 1))) as T[];
  }

  /** The values of all ranks. */
  #gather(value: unknown): unknown[] {
    const { rank, size } = this.#ranks;
    const own = serialize(value);
    const lengths = new Float64Array(size);
    lengths[rank] = own.length;
    const eight = new Array<number>(size).fill(8);
    this.#ranks.allGather(new Uint8Array(lengths.buffer), eight, startsOf(eight));
    const starts = startsOf(lengths);
    const all = new Uint8Array(starts[size]);
    all.set(own, starts[rank]);
    this.#ranks.allGather(all, lengths, starts);
    return Array.from(lengths, (length, r) => deserialize(all.slice(starts[r], starts[r] + length)));
  }
}

/** Where parts of these lengths begin, and where the last one ends. */
function startsOf(lengths: ArrayLike<number>): number[] {
  const starts = [0];
  for (let r = 0; r < lengths.length; r++) starts.push(starts[r] + lengths[r]);
  return starts;
}
