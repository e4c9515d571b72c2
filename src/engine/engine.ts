/**
 * The interface every engine implements.
 *
 * An engine compiles a program once: it lays out memory, uploads constants and prepares its kernels. The executable then
 * replays segments without allocating. Calls take effect in the order in which they are made: `run` and the methods that write
 * may return before their work is done; the methods that read wait for it. `dispose` ends the threads; afterwards the executable
 * can only be read, and its memory is freed together with it.
 */

import { InputError } from "../core/errors.js";
import { valueText } from "../core/validation.js";
import type { Program, Tensor } from "./program.js";

/** The name of a stream of random numbers (core/rng.ts). */
export interface StreamName {
  readonly seed: number;
  readonly purpose: string;
}

/** Float numbers as an engine returns them. */
export type FloatArray = Float32Array | Float64Array;

/** Rows that one rank holds. */
export interface OwnRows {
  /** Number of the first of them in the whole tensor. */
  readonly firstRow: number;
  readonly data: FloatArray;
}

/** A program laid out in memory, to be replayed. */
export interface Executable {
  /** Calls `fill` with the tensor's storage, or with a copy that is stored afterwards. */
  write(tensor: Tensor, fill: (data: FloatArray | Uint32Array) => void): void;
  /**
   * Fills a tensor with uniform numbers in ±bound: the same as `Rng.fillSymmetric` of this stream from its entry `first` on, a
   * multiple of 4, but faster.
   */
  fillSymmetric(tensor: Tensor, stream: StreamName, bound: number, first?: number): void;
  /** A copy of a parameter, state, input, constant, or result of the last replayed segment. */
  read(tensor: Tensor): Promise<FloatArray>;
  /** On several ranks: the rows that this rank holds of a tensor that `read` accepts; undefined if the tensor is not divided. */
  readOwn?(tensor: Tensor): Promise<OwnRows | undefined>;
  /**
   * Rows of a float tensor that `read` accepts, one after another, in the order of `rows`, in `into` if that has room and fits, or
   * in a new array. On several ranks only rank 0 receives them; the others receive none.
   */
  readRows(tensor: Tensor, rows: Uint32Array, into?: FloatArray): Promise<FloatArray>;
  /** The same without a promise, on engines whose memory the host reads directly. */
  readRowsNow?(tensor: Tensor, rows: Uint32Array, into?: FloatArray): FloatArray;
  /**
   * Stores the rows from `first` up to `end` of a float tensor. On several ranks only rank 0 needs `data`; every rank receives its
   * rows.
   */
  writeRows(tensor: Tensor, first: number, end: number, data: ArrayLike<number> | undefined): void;
  /** Replays one segment, to its end or as the next work of the device. */
  run(segment: string): void;
  /**
   * Replays one segment and checks after each instruction for values that are not finite. Returns the name of the first op that
   * produced one, or undefined. `agree` combines the finding of this executable with those of other ranks.
   */
  findNonFinite(segment: string, agree?: (isBad: boolean) => boolean): Promise<string | undefined>;
  /** Whether `run` returns before the work is done, so that further work may be queued before a result is read. */
  readonly isQueued?: boolean;
  /** Bytes held for this program. */
  readonly memoryBytes: number;
  dispose(): Promise<void>;
}

/** Runs programs; `createEngine` makes one. */
export interface Engine {
  readonly name: string;
  /** Variant and threads, for run records. */
  readonly description: string;
  readonly numThreads: number;
  /** Threads that work of the host may use while no program runs; default: `numThreads`. */
  readonly hostThreads?: number;
  /** Engine and instruction set. Two runs have the same bits only if this is equal; threads do not matter. */
  readonly kernels: string;
  /** Name of the device in whose memory programs lie; undefined if they lie in the memory of this process. */
  readonly device?: string;
  /** Why this engine was chosen, if the caller left the choice. */
  readonly choice?: string;
  /** Multiply-adds of one replay that occupy the engine and take a few tenths of a second at most; default 4·10⁹. */
  readonly replayWork?: number;
  /** Largest number of bytes of one program. */
  readonly memoryLimit: number;
  /** Bytes that the program needs; nothing is allocated. */
  estimate(program: Program): Promise<number>;
  compile(program: Program): Promise<Executable>;
}

/** Threads for work of the host outside of programs. */
export function hostThreads(engine: Pick<Engine, "numThreads" | "hostThreads">): number {
  return engine.hostThreads ?? engine.numThreads;
}

/** Throws unless the value implements Engine: callers may be untyped. */
export function requireEngine(engine: Engine, where: string): void {
  if (typeof engine === "object" && typeof engine?.compile === "function" && typeof engine.kernels === "string") return;
  throw new InputError(
    `${where}: engine is ${valueText(engine)}; expected an engine, such as the result of await createEngine("wasm"), or none.`,
  );
}

/** Reads tensors one after another: on several ranks every read may be an exchange, and all ranks need the same order. */
export async function readAll(executable: Executable, tensors: readonly Tensor[]): Promise<FloatArray[]> {
  const found: FloatArray[] = [];
  for (const tensor of tensors) found.push(await executable.read(tensor));
  return found;
}

/** Copies rows of `cols` numbers to the beginning of `into`, which is returned. */
export function copyRows<T extends FloatArray>(data: FloatArray, cols: number, rows: Uint32Array, into: T): T {
  for (let i = 0; i < rows.length; i++) into.set(data.subarray(rows[i] * cols, (rows[i] + 1) * cols), i * cols);
  return into;
}
