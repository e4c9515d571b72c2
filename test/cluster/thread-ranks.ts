/** Ranks as threads of one process that exchange data through shared memory: for tests without MPI. */

import type { PerRank, RankParts, Ranks, Words } from "../../src/engine/ranks.js";

/** Bytes that one rank can send in one exchange. */
const REGION_BYTES = 2 ** 24;
/** Words before the data: arrived ranks, generation of the barrier. */
const CONTROL_WORDS = 2;

/** Memory for the exchanges of `size` ranks. */
export function sharedMemory(size: number): SharedArrayBuffer {
  return new SharedArrayBuffer(tableBytes(size) + size * REGION_BYTES);
}

/** Control words, then for each pair of ranks the displacement and the count of what one sends to the other. */
function tableBytes(size: number): number {
  return 8 * Math.ceil((CONTROL_WORDS + 2 * size * size) / 2);
}

export class ThreadRanks implements Ranks {
  readonly rank: number;
  readonly size: number;
  readonly description: string;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(rank: number, size: number, memory: SharedArrayBuffer) {
    this.rank = rank;
    this.size = size;
    this.description = `${size} threads`;
    this.#words = new Int32Array(memory, 0, CONTROL_WORDS + 2 * size * size);
    this.#bytes = new Uint8Array(memory, tableBytes(size));
  }

  barrier(): void {
    const generation = Atomics.load(this.#words, 1);
    if (Atomics.add(this.#words, 0, 1) + 1 === this.size) {
      Atomics.store(this.#words, 0, 0);
      Atomics.add(this.#words, 1, 1);
      Atomics.notify(this.#words, 1);
      return;
    }
    while (Atomics.load(this.#words, 1) === generation) Atomics.wait(this.#words, 1, generation);
  }

  allGather(buffer: Uint8Array, counts: PerRank, displacements: PerRank): void {
    const start = displacements[this.rank];
    this.#publish(buffer.subarray(start, start + counts[this.rank]));
    this.barrier();
    for (let r = 0; r < this.size; r++) {
      if (r !== this.rank) buffer.set(this.#region(r).subarray(0, counts[r]), displacements[r]);
    }
    this.barrier();
  }

  allToAll(sent: RankParts, received: RankParts): void {
    const bytesOf = (words: Words) => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    this.#publish(bytesOf(sent.data));
    for (let r = 0; r < this.size; r++) {
      this.#words[this.#entry(this.rank, r)] = sent.displacements[r];
      this.#words[this.#entry(this.rank, r) + 1] = sent.counts[r];
    }
    this.barrier();
    const target = bytesOf(received.data);
    for (let r = 0; r < this.size; r++) {
      const [from, count] = this.#words.subarray(this.#entry(r, this.rank));
      if (count !== received.counts[r])
        throw new Error(`rank ${this.rank} expects ${received.counts[r]} words of rank ${r}, which sends ${count}`);
      target.set(this.#region(r).subarray(4 * from, 4 * (from + count)), 4 * received.displacements[r]);
    }
    this.barrier();
  }

  #entry(from: number, to: number): number {
    return CONTROL_WORDS + 2 * (from * this.size + to);
  }

  #region(rank: number): Uint8Array {
    return this.#bytes.subarray(rank * REGION_BYTES, (rank + 1) * REGION_BYTES);
  }

  #publish(bytes: Uint8Array): void {
    if (bytes.length > REGION_BYTES) throw new Error(`${bytes.length} bytes to send; at most ${REGION_BYTES} fit`);
    this.#region(this.rank).set(bytes);
  }

  abort(code: number): never {
    throw new Error(`rank ${this.rank} ends all ranks with code ${code}`);
  }
}
