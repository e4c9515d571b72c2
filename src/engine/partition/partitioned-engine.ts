/** An engine that runs one program on all ranks, each on its own rows. */

import { roomFor } from "../../core/embedding.js";
import { InternalError } from "../../core/errors.js";
import type { Engine, Executable, FloatArray, OwnRows, StreamName } from "../engine.js";
import type { Program, Tensor } from "../program.js";
import type { Ranks } from "../ranks.js";
import type { ExchangeLimits } from "./exchanges.js";
import { starts } from "./halo.js";
import { Leader, type LedExecutable } from "./leader.js";
import { MeteredRanks } from "./metered-ranks.js";
import { type Division, partitionProgram } from "./partition-program.js";

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
  /**
   * All ranks call it. Rank 0 does `work`, for example writes files: it may replay segments and read rows as if it were alone, and
   * the other ranks send what it needs. Only rank 0 receives the result.
   */
  lead<T>(work: () => Promise<T>): Promise<T | undefined>;
}

/**
 * Runs programs on `ranks` with `engine`. Every rank calls the same methods in the same order. Programs without a number of nodes
 * run whole on every rank.
 */
export function partitionedEngine(engine: Engine, ranks: Ranks, limits?: Partial<ExchangeLimits>): PartitionedEngine {
  const metered = new MeteredRanks(ranks);
  const leader = new Leader(ranks);
  let last: Division | undefined;
  return {
    name: engine.name,
    description: `${engine.description}, ${ranks.description}`,
    numThreads: engine.numThreads,
    kernels: engine.kernels,
    memoryLimit: engine.memoryLimit,
    // of the whole program: nobody knows a rank's share before the ranks have exchanged what they need
    estimate: (program) => engine.estimate(program),
    async compile(program) {
      if (program.numNodes === undefined) return engine.compile(program);
      // not kept: the program holds the matrices of this rank, which the engine copies
      const { program: own, ...division } = partitionProgram(program, metered, limits);
      last = division;
      metered.reset();
      // not metered: reads for files and checkpoints are no exchanges of an epoch
      return new PartitionedExecutable(program, division, await engine.compile(own), ranks, leader);
    },
    lead: (work) => leader.lead(work),
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
export const soloRanks: Ranks = {
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

/** Numbers that rank 0 receives at a time when it reads a whole tensor alone: 4 MB. Not tuned. */
const NUMBERS_AT_A_TIME = 2 ** 20;

/** The array, or a longer one. */
function withRoom(array: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  return array.length < length ? new Float32Array(length) : array;
}

class PartitionedExecutable implements Executable, LedExecutable {
  readonly #tensors: readonly Tensor[];
  readonly #segments: readonly string[];
  readonly #local: Division;
  readonly #executable: Executable;
  /** Rows on their way to rank 0. */
  #sent = new Float32Array(0);
  /** Rows on rank 0 in the order of their ranks. */
  #received = new Float32Array(0);
  readonly #ranks: Ranks;
  readonly #leader: Leader;
  readonly #number: number;

  constructor(whole: Program, local: Division, executable: Executable, ranks: Ranks, leader: Leader) {
    this.#tensors = whole.tensors;
    this.#segments = [...whole.segments.keys()];
    this.#local = local;
    this.#executable = executable;
    this.#ranks = ranks;
    this.#leader = leader;
    this.#number = leader.add(this);
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

  /** The whole tensor, on every rank; on rank 0 alone if it leads. */
  async read(tensor: Tensor): Promise<Float32Array | Float64Array> {
    const { tensor: local, rowsPerNode } = this.#local.local(tensor);
    if (rowsPerNode === 0) return this.#executable.read(local);
    if (this.#leader.isLeading) return this.#readInParts(tensor);
    const own = await this.#executable.read(local);
    const whole = new Float32Array(tensor.rows * tensor.cols);
    whole.set(own, this.#firstEntry(tensor, rowsPerNode));
    const { first } = this.#local.ranges;
    const counts = first.slice(1).map((end, r) => (end - first[r]) * rowsPerNode * tensor.cols * 4);
    this.#ranks.allGather(new Uint8Array(whole.buffer), counts, starts(counts));
    return whole;
  }

  async readOwn(tensor: Tensor): Promise<OwnRows | undefined> {
    const { tensor: local, rowsPerNode } = this.#local.local(tensor);
    if (rowsPerNode === 0) return undefined;
    return { firstRow: rowsPerNode * this.#local.ranges.begin, data: await this.#executable.read(local) };
  }

  #readInParts(tensor: Tensor): Float32Array {
    const whole = new Float32Array(tensor.rows * tensor.cols);
    const numRows = Math.max(1, Math.floor(NUMBERS_AT_A_TIME / tensor.cols));
    for (let first = 0; first < tensor.rows; first += numRows) {
      const rows = Uint32Array.from({ length: Math.min(numRows, tensor.rows - first) }, (_, i) => first + i);
      whole.set(this.readRowsNow(tensor, rows), first * tensor.cols);
    }
    return whole;
  }

  async readRows(tensor: Tensor, rows: Uint32Array, into?: FloatArray): Promise<FloatArray> {
    return this.readRowsNow(tensor, rows, into);
  }

  readRowsNow(tensor: Tensor, rows: Uint32Array, into?: FloatArray): FloatArray {
    const { tensor: local, rowsPerNode } = this.#local.local(tensor);
    const { rank, size } = this.#ranks;
    if (rowsPerNode === 0) return this.#readLocal(local, rank === 0 ? rows : rows.subarray(0, 0), into);
    this.#leader.announceRows(this.#number, tensor.id, rows);
    const { ranges } = this.#local;
    const { cols } = tensor;
    const ownerOf = (row: number) => ranges.ownerOf(Math.floor(row / rowsPerNode));
    const zeros = new Array<number>(size).fill(0);
    const firstRow = rowsPerNode * ranges.begin;
    const own = rows.filter((row) => ownerOf(row) === rank).map((row) => row - firstRow);
    this.#sent = withRoom(this.#sent, own.length * cols);
    const found = this.#readLocal(local, own, this.#sent);
    const send = found instanceof Float32Array ? found : Float32Array.from(found);
    const sent = { data: send, counts: zeros.map((_, r) => (r === 0 ? send.length : 0)), displacements: zeros };
    if (rank !== 0) {
      this.#ranks.allToAll(sent, { data: new Float32Array(0), counts: zeros, displacements: zeros });
      return new Float32Array(0);
    }
    const counts = [...zeros];
    for (const row of rows) counts[ownerOf(row)] += cols;
    this.#received = withRoom(this.#received, rows.length * cols);
    const received = this.#received.subarray(0, rows.length * cols);
    const next = starts(counts);
    this.#ranks.allToAll(sent, { data: received, counts, displacements: [...next] });
    const all = roomFor(rows.length * cols, into);
    for (let i = 0; i < rows.length; i++) {
      const owner = ownerOf(rows[i]);
      all.set(received.subarray(next[owner], next[owner] + cols), i * cols);
      next[owner] += cols;
    }
    return all;
  }

  #readLocal(local: Tensor, rows: Uint32Array, into?: FloatArray): FloatArray {
    const found = this.#executable.readRowsNow?.(local, rows, into);
    if (found === undefined) throw new InternalError("ranks need an engine whose memory the host reads directly");
    return found;
  }

  sendRows(tensor: number, rows: Uint32Array): void {
    this.readRowsNow(this.#tensors[tensor], rows);
  }

  /** Not while rank 0 leads. */
  writeRows(tensor: Tensor, first: number, end: number, data: ArrayLike<number> | undefined): void {
    const { tensor: local, rowsPerNode } = this.#local.local(tensor);
    const { rank, size } = this.#ranks;
    const { first: firstNodes } = this.#local.ranges;
    const { cols } = tensor;
    const clamp = (row: number) => Math.min(Math.max(row, first), end);
    // first and last row of each rank; all of them for a tensor that is whole on every rank
    const begins = Array.from({ length: size }, (_, r) => clamp(rowsPerNode * firstNodes[r]));
    const ends = begins.map((_, r) => (rowsPerNode === 0 ? end : clamp(rowsPerNode * firstNodes[r + 1])));
    const counts = begins.map((begin, r) => (ends[r] - begin) * cols);
    const zeros = begins.map(() => 0);
    const received = new Float32Array(counts[rank]);
    const sent =
      rank === 0
        ? {
            data: Float32Array.from(data ?? []),
            counts,
            displacements: begins.map((begin) => (begin - first) * cols),
          }
        : { data: new Float32Array(0), counts: zeros, displacements: zeros };
    this.#ranks.allToAll(sent, {
      data: received,
      counts: zeros.map((_, r) => (r === 0 ? received.length : 0)),
      displacements: zeros,
    });
    if (received.length === 0) return;
    const ownBegin = begins[rank] - rowsPerNode * this.#local.ranges.begin;
    this.#executable.writeRows(local, ownBegin, ownBegin + received.length / cols, received);
  }

  run(segment: string): void {
    this.#leader.announceRun(this.#number, this.#segments.indexOf(segment));
    this.#executable.run(segment);
  }

  runNumber(segment: number): void {
    this.#executable.run(this.#segments[segment]);
  }

  async findNonFinite(segment: string): Promise<string | undefined> {
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
    this.#leader.remove(this.#number);
    await this.#executable.dispose();
  }
}
