/**
 * The interface every engine implements.
 *
 * An engine compiles a program once: it lays out memory, uploads constants and prepares its kernels. The executable then
 * replays segments without allocating. `write` and `read` may be called between replays only. `dispose` ends its
 * threads; afterwards it is only read from, and its memory goes with it.
 */

import { InputError } from "../core/errors.js";
import { valueText } from "../core/validation.js";
import type { Program, Tensor } from "./program.js";

/** Names a stream of random numbers (core/rng.ts). */
export interface StreamName {
  readonly seed: number;
  readonly purpose: string;
}

/** A program laid out in memory, to be replayed. */
export interface Executable {
  /** Gives `fill` the tensor's storage (or a staging array that is uploaded afterwards) to write into. */
  write(tensor: Tensor, fill: (data: Float32Array | Float64Array | Uint32Array) => void): void;
  /** Fills a tensor with uniform numbers in ±bound: what `fillSymmetric` of a new reader of the stream gives, sooner. */
  fillSymmetric(tensor: Tensor, stream: StreamName, bound: number): void;
  /** A copy of a parameter, state, input, constant, or result of the last replayed segment. */
  read(tensor: Tensor): Float32Array | Float64Array;
  /** Replays one segment to its end. */
  run(segment: string): void;
  /**
   * Replays one segment, checking after each instruction for values that are not finite; returns the name of the first
   * op that made one, or undefined.
   */
  findNonFinite(segment: string): string | undefined;
  /** Bytes held for this program. */
  readonly memoryBytes: number;
  dispose(): Promise<void>;
}

/** What computes programs: `createEngine` makes one. */
export interface Engine {
  readonly name: string;
  /** What a run record says of it: variant, threads. */
  readonly description: string;
  readonly numThreads: number;
  /** Runs agree to the last bit only if this is equal: engine and instruction set, not threads. */
  readonly kernels: string;
  compile(program: Program): Promise<Executable>;
}

/** Fails at what is no engine, as callers without types may give. */
export function requireEngine(given: Engine, where: string): void {
  if (typeof given === "object" && typeof given?.compile === "function" && typeof given.kernels === "string") return;
  throw new InputError(
    `${where}: engine is ${valueText(given)}; expected an engine itself, as of await createEngine("wasm"), or none.`,
  );
}
