/** Measures the exchanges of a rank. */

import type { PerRank, RankParts, Ranks } from "../ranks.js";

/** Counts bytes and seconds of the calls that it passes on. */
export class MeteredRanks implements Ranks {
  /** Bytes sent to other ranks. */
  bytesSent = 0;
  /** Seconds inside calls: waiting for other ranks, and copying. */
  seconds = 0;
  readonly #ranks: Ranks;

  constructor(ranks: Ranks) {
    this.#ranks = ranks;
  }

  get rank(): number {
    return this.#ranks.rank;
  }

  get size(): number {
    return this.#ranks.size;
  }

  get description(): string {
    return this.#ranks.description;
  }

  reset(): void {
    this.bytesSent = 0;
    this.seconds = 0;
  }

  #measure(call: () => void): void {
    const begin = performance.now();
    call();
    this.seconds += (performance.now() - begin) / 1000;
  }

  allGather(buffer: Uint8Array, counts: PerRank, displacements: PerRank): void {
    this.bytesSent += counts[this.rank] * (this.size - 1);
    this.#measure(() => this.#ranks.allGather(buffer, counts, displacements));
  }

  allToAll(sent: RankParts, received: RankParts): void {
    for (let r = 0; r < this.size; r++) if (r !== this.rank) this.bytesSent += 4 * sent.counts[r];
    this.#measure(() => this.#ranks.allToAll(sent, received));
  }

  barrier(): void {
    this.#measure(() => this.#ranks.barrier());
  }

  abort(code: number): never {
    return this.#ranks.abort(code);
  }
}
