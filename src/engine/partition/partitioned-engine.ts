/** An engine that runs one program on all ranks, each on its own rows. */

import { InternalError } from "../../core/errors.js";
import type { Engine, Executable, StreamName } from "../engine.js";
import type { Program, Tensor } from "../program.js";
import type { Ranks } from "../ranks.js";
import { starts } from "./halo.js";
import { MeteredRanks } from "./metered-ranks.js";
import { type LocalProgram, partitionProgram } from "./partition-program.js";

/** What the ranks exchanged so far. */
export interface ExchangeReport {
  /** Nodes of this rank. */
  readonly ownRows: number;
  /** Largest number of rows of other ranks that an op of this rank has read so far. */
  readonly haloRows: number;
  /** Bytes that this rank sent to others since the program was compiled. */
  readonly bytesSent: number;
  /** Seconds that this rank spent in exchanges since then, most of them waiting. */
  readonly seconds: number;
}

/** An engine of one rank. */
export interface PartitionedEngine extends Engine {
  /** Counts of the last compiled program; undefined until a program was compiled. */
  exchanged(): ExchangeReport | undefined;
}

/**
 * Runs programs on `ranks` with `engine`. Every rank calls the same methods in the same order. Programs without a number of nodes
 * run whole on every rank.
 */
export function partitionedEngine(engine: Engine, ranks: Ranks): PartitionedEngine {
  const metered = new MeteredRanks(ranks);
  let last: LocalProgram | undefined;
  return {
    name: engine.name,
    description: `${engine.description}, ${ranks.description}`,
    numThreads: engine.numThreads,
    kernels: engine.kernels,
    async compile(program) {
      if (program.numNodes === undefined) return engine.compile(program);
      last = partitionProgram(program, metered);
      metered.reset();
      return new PartitionedExecutable(last, await engine.compile(last.program), metered);
    },
    exchanged() {
      if (last === undefined) return undefined;
      const { bytesSent, seconds } = metered;
      return { ownRows: last.ranges.count, haloRows: last.haloRows(), bytesSent, seconds };
    },
  };
}

/** Throws UnsupportedError if the program has an op that cannot be divided. Needs no other ranks. */
export function requirePartitionable(program: Program): void {
  partitionProgram(program, soloRanks);
}

/** A run of one rank: what it sends to itself arrives. */
const soloRanks: Ranks = {
  rank: 0,
  size: 1,
  description: "one rank",
  allGather() {},
  allToAll(sent, received) {
    const { counts, displacements } = sent;
    for (let i = 0; i < counts[0]; i++) received.data[received.displacements[0] + i] = sent.data[displacements[0] + i];
  },
  barrier() {},
  abort(code): never {
    throw new InternalError(`one rank ends with code ${code}`);
  },
};

class PartitionedExecutable implements Executable {
  readonly #local: LocalProgram;
  readonly #executable: Executable;
  readonly #ranks: Ranks;

  constructor(local: LocalProgram, executable: Executable, ranks: Ranks) {
    this.#local = local;
    this.#executable = executable;
    this.#ranks = ranks;
  }

  /** Bytes of this rank. */
  get memoryBytes(): number {
    return this.#executable.memoryBytes;
  }

  /** `fill` receives the whole tensor; this rank keeps its rows. */
  write(tensor: Tensor, fill: (data: Float32Array | Float64Array | Uint32Array) => void): void {
    const { tensor: local, rowsPerNode } = this.#local.local(tensor);
    if (rowsPerNode === 0) {
      this.#executable.write(local, fill);
      return;
    }
    const whole = new Float32Array(tensor.rows * tensor.cols);
    fill(whole);
    const first = this.#firstEntry(tensor, rowsPerNode);
    this.#executable.write(local, (data) => data.set(whole.subarray(first, first + data.length)));
  }

  fillSymmetric(tensor: Tensor, stream: StreamName, bound: number): void {
    const { tensor: local, rowsPerNode } = this.#local.local(tensor);
    this.#executable.fillSymmetric(local, stream, bound, this.#firstEntry(tensor, rowsPerNode));
  }

  #firstEntry({ cols }: Tensor, rowsPerNode: number): number {
    return rowsPerNode * this.#local.ranges.begin * cols;
  }

  /** The whole tensor, on every rank. */
  read(tensor: Tensor): Float32Array | Float64Array {
    const { tensor: local, rowsPerNode } = this.#local.local(tensor);
    const own = this.#executable.read(local);
    if (rowsPerNode === 0) return own;
    const whole = new Float32Array(tensor.rows * tensor.cols);
    whole.set(own, this.#firstEntry(tensor, rowsPerNode));
    const { first } = this.#local.ranges;
    const counts = first.slice(1).map((end, r) => (end - first[r]) * rowsPerNode * tensor.cols * 4);
    this.#ranks.allGather(new Uint8Array(whole.buffer), counts, starts(counts));
    return whole;
  }

  run(segment: string): void {
    this.#executable.run(segment);
  }

  findNonFinite(segment: string): string | undefined {
    const { rank, size } = this.#ranks;
    const counts = new Array<number>(size).fill(1);
    return this.#executable.findNonFinite(segment, (isBad) => {
      const found = new Uint8Array(size);
      found[rank] = isBad ? 1 : 0;
      this.#ranks.allGather(found, counts, starts(counts));
      return found.includes(1);
    });
  }

  async dispose(): Promise<void> {
    await this.#executable.dispose();
  }
}
