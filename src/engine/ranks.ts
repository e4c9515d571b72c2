/**
 * The processes of a partitioned run: each is one rank, and all ranks run the same program on their own rows.
 *
 * Calls are collective: every rank makes the same calls in the same order, and a call returns when this rank's part of the data
 * has arrived. Calls block the thread. Buffers are views of WebAssembly memory (shared or not) or ordinary arrays, and are used
 * without copies where the transport allows it.
 */

/** Words of 4 bytes that are exchanged: their meaning does not matter, only their bits. */
export type Words = Uint32Array | Int32Array | Float32Array;

/** Counts or displacements, one per rank. */
export type PerRank = Int32Array | Float64Array | readonly number[];

/** A part of an array for each rank: rank r's has `counts[r]` words and begins at word `displacements[r]`. */
export interface RankParts {
  readonly data: Words;
  readonly counts: PerRank;
  readonly displacements: PerRank;
}

/** The exchanges that a partitioned program needs. */
export interface Ranks {
  /** Number of this rank: 0 to size − 1. */
  readonly rank: number;
  /** Number of ranks. */
  readonly size: number;
  /** The transport, its version and the number of ranks, for run records. */
  readonly description: string;
  /**
   * Rank r contributes the `counts[r]` bytes of `buffer` that start at byte `displacements[r]`; afterwards all ranks have all of
   * them, in place. `counts` and `displacements` are the same on every rank.
   */
  allGather(buffer: Uint8Array, counts: PerRank, displacements: PerRank): void;
  /**
   * Sends to rank r its part of `sent`, and puts the words received from rank r into its part of `received`; the two arrays do not
   * overlap. The part of `sent` that rank a has for b is as long as the part of `received` that b has for a.
   */
  allToAll(sent: RankParts, received: RankParts): void;
  /** Returns when every rank has called it. */
  barrier(): void;
  /** Ends the processes of all ranks with this exit code. */
  abort(code: number): never;
}
