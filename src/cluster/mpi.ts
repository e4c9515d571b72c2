/**
 * The exchanges of a partitioned run on MPI. This is the only file that knows the functions and constants of MPI.
 *
 * The library, Open MPI or one with the binary interface of MPICH (MPICH, Intel MPI, MVAPICH, Cray MPICH), is called through koffi.
 * All calls are synchronous and come from the main thread. Typed arrays are passed as addresses, so views of WebAssembly memory,
 * shared or not, are read and written in place.
 *
 * Open MPI's constants are addresses of symbols of the library; MPICH's are integers, from its mpi.h.
 */

import { fstatSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { InputError, InternalError } from "../core/errors.js";
import type { PerRank, RankParts, Ranks, Words } from "../engine/ranks.js";
import { readLaunch } from "./launch.js";
import {
  type Handle,
  LIBRARY_VARIABLE,
  type MpiLibrary,
  type NativeFunction,
  type NativeLibrary,
  TEXT_BYTES,
} from "./mpi-library.js";

/** MPI_THREAD_FUNNELED: the process has threads, and only the main thread calls MPI. */
const THREAD_FUNNELED = 1;
/** The largest count and displacement of a call: C's int. */
const MAX_COUNT = 2 ** 31 - 1;

/** Longest time between two looks at an idle barrier; several ranks need a few looks. Not tuned. */
const MAX_POLL_MILLISECONDS = 10;

interface Constants {
  /** C type of a handle. */
  readonly handle: string;
  readonly world: Handle;
  readonly byte: Handle;
  readonly word: Handle;
  readonly errorsReturn: Handle;
  readonly inPlace: bigint;
  readonly statusIgnore: bigint;
}

function constantsOf({ family, native }: MpiLibrary): Constants {
  if (family === "MPICH") {
    return {
      handle: "int",
      world: 0x44000000,
      byte: 0x4c00010d,
      word: 0x4c000405, // MPI_INT
      errorsReturn: 0x54000001,
      inPlace: 2n ** 64n - 1n,
      statusIgnore: 1n,
    };
  }
  return {
    handle: "void*",
    world: native.symbol("ompi_mpi_comm_world"),
    byte: native.symbol("ompi_mpi_byte"),
    word: native.symbol("ompi_mpi_int"),
    errorsReturn: native.symbol("ompi_mpi_errors_return"),
    inPlace: 1n,
    statusIgnore: 0n,
  };
}

/** Joins the other ranks. Throws unless this library sees as many ranks as mpirun started. */
export function joinRanks(library: MpiLibrary): MpiRanks {
  if (library.family === "MPICH") requireConnection();
  // Waiting ranks of Open MPI let other processes use their core. On a busy machine an epoch took 0.02 s with it and 0.09 to 0.23 s
  // without (hmge, 2,000 nodes, 2 ranks on 2 × Neoverse-N1, 2026-11-18).
  process.env["OMPI_MCA_mpi_yield_when_idle"] ??= "1";
  // By default ranks of Open MPI read each other's memory; several ranks at once probably wait for each other's page tables. An epoch with
  // 4 ranks took 1.44 to 1.63 s with this setting and 2.1 to 2.7 s without (hmge, 500,000 nodes, 16 × Xeon, Open MPI 4.1, 2026-11-19).
  process.env["OMPI_MCA_btl_vader_single_copy_mechanism"] ??= "none";
  const ranks = new MpiRanks(library);
  const launched = readLaunch()?.size;
  if (launched !== undefined && launched !== ranks.size) {
    ranks.finalize();
    throw new InputError(
      `the MPI library ${library.path} (${library.version}) sees ${ranks.size} of ${launched} ranks: another MPI started them. Set ${LIBRARY_VARIABLE} to the library of the mpirun in use, or start with the mpirun of ${library.family}.`,
    );
  }
  return ranks;
}

/** Throws unless this process still has its connection to MPICH's mpirun. Node, and so npx, does not pass it on to a child. */
function requireConnection(): void {
  const { PMI_FD: descriptor } = process.env;
  if (descriptor === undefined || isSocket(Number(descriptor))) return;
  throw new InputError(
    "mpirun of MPICH: its connection was lost on the way to hmge, because npx and npm do not pass it on. Start the program itself: mpirun -n 2 node_modules/.bin/hmge embed …",
  );
}

function isSocket(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isSocket();
  } catch {
    return false;
  }
}

/** All ranks that mpirun started. */
export class MpiRanks implements Ranks {
  readonly rank: number;
  readonly size: number;
  readonly description: string;
  readonly #native: NativeLibrary;
  readonly #constants: Constants;
  readonly #maxCount: number;
  readonly #allGather: NativeFunction;
  readonly #allToAll: NativeFunction;
  readonly #broadcast: NativeFunction;
  readonly #barrier: NativeFunction;
  #finalized = false;

  /** Initialises MPI; possible once in a process. Gathers with more than `maxCount` bytes are split into several calls. */
  constructor(library: MpiLibrary, maxCount = MAX_COUNT) {
    const { native } = library;
    const constants = constantsOf(library);
    const { handle, world, errorsReturn } = constants;
    this.#native = native;
    this.#constants = constants;
    this.#maxCount = maxCount;
    const define = (name: string, parameters: readonly string[]) => native.func(name, "int", parameters);
    const number = new Int32Array(1);
    this.#check(
      "MPI_Init_thread",
      define("MPI_Init_thread", ["void*", "void*", "int", "void*"])(null, null, THREAD_FUNNELED, number),
    );
    this.#check("MPI_Comm_set_errhandler", define("MPI_Comm_set_errhandler", [handle, handle])(world, errorsReturn));
    this.#check("MPI_Comm_rank", define("MPI_Comm_rank", [handle, "void*"])(world, number));
    this.rank = number[0];
    this.#check("MPI_Comm_size", define("MPI_Comm_size", [handle, "void*"])(world, number));
    this.size = number[0];
    this.description = `${library.version}, ${this.size} ranks`;
    const parts = ["void*", "void*", "void*", handle];
    this.#allGather = define("MPI_Allgatherv", ["void*", "int", handle, ...parts, handle]);
    this.#allToAll = define("MPI_Alltoallv", [...parts, ...parts, handle]);
    this.#broadcast = define("MPI_Bcast", ["void*", "int", handle, "int", handle]);
    this.#barrier = define("MPI_Barrier", [handle]);
  }

  allGather(buffer: Uint8Array, counts: PerRank, displacements: PerRank): void {
    const end = this.#requireParts("allGather", buffer, counts, displacements);
    const { byte, world, inPlace } = this.#constants;
    if (end > this.#maxCount) {
      for (let rank = 0; rank < this.size; rank++) {
        this.#broadcastFrom(rank, buffer, displacements[rank], displacements[rank] + counts[rank]);
      }
      return;
    }
    const code = this.#allGather(inPlace, 0, byte, buffer, ints(counts), ints(displacements), byte, world);
    this.#check("MPI_Allgatherv", code);
  }

  allToAll(sent: RankParts, received: RankParts): void {
    const { word, world } = this.#constants;
    const [from, to] = [sent, received].map(({ data, counts, displacements }) => {
      const end = this.#requireParts("allToAll", data, counts, displacements);
      if (end > this.#maxCount) {
        throw new InternalError(`allToAll: ${end} words; expected at most ${this.#maxCount}`);
      }
      return [data, ints(counts), ints(displacements), word] as const;
    });
    const code = this.#allToAll(...from, ...to, world);
    this.#check("MPI_Alltoallv", code);
  }

  /** Copies the bytes of `buffer` on rank `root` into `buffer` of every other rank; all have the same length. */
  broadcast(buffer: Uint8Array, root: number): void {
    this.#broadcastFrom(root, buffer, 0, buffer.length);
  }

  barrier(): void {
    this.#check("MPI_Barrier", this.#barrier(this.#constants.world));
  }

  /**
   * Like `barrier`, but leaves the core to others while it waits, for waits of seconds or minutes: ranks of MPICH in other calls keep
   * their core busy. No other exchange may begin before it has ended.
   */
  async idleBarrier(): Promise<void> {
    const { handle, world, statusIgnore } = this.#constants;
    const request = new BigUint64Array(1);
    const isDone = new Int32Array(1);
    this.#check("MPI_Ibarrier", this.#native.func("MPI_Ibarrier", "int", [handle, "void*"])(world, request));
    const test = this.#native.func("MPI_Test", "int", ["void*", "void*", "void*"]);
    for (let milliseconds = 1; ; milliseconds = Math.min(MAX_POLL_MILLISECONDS, milliseconds + 1)) {
      this.#check("MPI_Test", test(request, isDone, statusIgnore));
      if (isDone[0] !== 0) return;
      await setTimeout(milliseconds);
    }
  }

  abort(code: number): never {
    const { handle, world } = this.#constants;
    this.#native.func("MPI_Abort", "int", [handle, "int"])(world, code);
    process.exit(code);
  }

  /** Whether `finalize` was called; then no exchange is possible. */
  get finalized(): boolean {
    return this.#finalized;
  }

  /** Leaves the other ranks, in order; every rank calls it. The process may go on without them. */
  finalize(): void {
    if (this.#finalized) return;
    this.#finalized = true;
    this.#check("MPI_Finalize", this.#native.func("MPI_Finalize", "int", [])());
  }

  #broadcastFrom(root: number, buffer: Uint8Array, start: number, end: number): void {
    const { byte, world } = this.#constants;
    for (let at = start; at < end; at += this.#maxCount) {
      const part = buffer.subarray(at, Math.min(end, at + this.#maxCount));
      this.#check("MPI_Bcast", this.#broadcast(part, part.length, byte, root, world));
    }
  }

  /** The end of the last part. Throws if a part is outside the array, because the library would write there. */
  #requireParts(name: string, { length }: Uint8Array | Words, counts: PerRank, displacements: PerRank): number {
    let last = 0;
    for (let rank = 0; rank < this.size; rank++) {
      const start = displacements[rank];
      const end = start + counts[rank];
      if (!(start >= 0 && end >= start && end <= length)) {
        throw new InternalError(`${name}: the part of rank ${rank} is ${start} to ${end}; expected 0 to ${length}`);
      }
      last = Math.max(last, end);
    }
    return last;
  }

  #check(name: string, code: number): void {
    if (code === 0) return;
    const text = new Uint8Array(TEXT_BYTES);
    const length = new Int32Array(1);
    this.#native.func("MPI_Error_string", "int", ["int", "void*", "void*"])(code, text, length);
    const reason = new TextDecoder().decode(text.subarray(0, length[0])).replace(/\s*\n\s*/g, " ");
    throw new InputError(`${name}: the exchange between the ranks failed: ${reason}. Another rank may have ended.`);
  }
}

function ints(values: PerRank): Int32Array {
  return values instanceof Int32Array ? values : Int32Array.from(values);
}
