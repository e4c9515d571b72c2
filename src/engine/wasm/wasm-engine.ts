/**
 * The `wasm` engine: AssemblyScript kernels with SIMD on one memory, replayed by all threads together.
 *
 * For one program, seed and SIMD variant the bits of every result are the same for any number of threads: work is cut
 * into blocks by shape alone, and partial sums are added in block order.
 */

import { roomFor } from "../../core/embedding.js";
import { InternalError, UnsupportedError } from "../../core/errors.js";
import { streamKey } from "../../core/rng.js";
import { copyRows, type Engine, type Executable, type FloatArray, type StreamName } from "../engine.js";
import type { Program, Tensor } from "../program.js";
import { HEADER, PAGE } from "./header-writer.js";
import { CONTROL, type Layout, layOut, MAX_BYTES, offsetOf, type ReplayedInstruction } from "./layout.js";
import { chooseThreads } from "./threads.js";
import { allocateMemory, instantiate, type KernelExports, kernelModule, supportsRelaxed } from "./variant.js";
import { type HelperThread, startHelper } from "./worker-source.js";

/** Options of `createWasmEngine`. */
export interface WasmOptions {
  /** Threads, including the calling one; default: as many as the machine runs at the same time, or 1 if threads cannot be used. */
  readonly threads?: number;
  /** Kernels with fused multiply-add; default: if the platform supports them. */
  readonly relaxed?: boolean;
}

/** Chooses threads and kernels for this platform. */
export async function createWasmEngine(options: WasmOptions = {}): Promise<Engine> {
  const numThreads = await chooseThreads(options.threads);
  const relaxedHere = supportsRelaxed();
  if (options.relaxed === true && !relaxedHere) {
    throw new UnsupportedError("relaxed SIMD is not supported here; leave it off");
  }
  const relaxed = options.relaxed ?? relaxedHere;
  const planner = await kernelModule({ relaxed, shared: false });
  return {
    name: "wasm",
    description: `wasm (${relaxed ? "relaxed" : "plain"} SIMD, ${numThreads} thread${numThreads === 1 ? "" : "s"})`,
    numThreads,
    kernels: `wasm ${relaxed ? "relaxed" : "plain"} SIMD`,
    memoryLimit: MAX_BYTES,
    estimate: async (program) => layOut(program, planner).totalBytes,
    async compile(program) {
      const layout = layOut(program, planner);
      const pages = Math.ceil(layout.totalBytes / PAGE);
      if (layout.totalBytes > MAX_BYTES) {
        throw new UnsupportedError(
          `memory: this run needs ${gigabytes(layout.totalBytes)} of WebAssembly memory, the limit is ${gigabytes(MAX_BYTES)}; use a smaller dim or tableWidth, or fewer relations`,
        );
      }
      const shared = numThreads > 1;
      const memory = allocateMemory({ initial: pages, maximum: pages, shared });
      const module = await kernelModule({ relaxed, shared });
      const helpers: HelperThread[] = [];
      const executable = new WasmExecutable(program, layout, memory, instantiate(module, memory), numThreads, helpers);
      try {
        for (let i = 1; i < numThreads; i++) helpers.push(startHelper({ module, memory, threads: numThreads }));
        await Promise.all(helpers.map((helper) => helper.ready));
      } catch (error) {
        await executable.dispose();
        throw error;
      }
      return executable;
    },
  };
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(2)} GiB`;
}

/** Looks up the address of a tensor; keeps nothing else of the layout. */
function addresses({ plan: { offset }, planBase }: Layout): (tensor: Tensor) => number {
  return (tensor) => planBase + offsetOf({ offset }, tensor);
}

class WasmExecutable implements Executable {
  readonly memoryBytes: number;
  readonly #segments: Layout["segments"];
  /** Byte address of each tensor. Neither the layout nor the program is kept: they hold the matrices, which are in the memory already. */
  readonly #addressOf: (tensor: Tensor) => number;
  readonly #kernels: KernelExports;
  readonly #threads: number;
  readonly #helpers: readonly HelperThread[];
  readonly #floats: Float32Array;
  readonly #words: Int32Array;
  readonly #indices: Uint32Array;

  constructor(
    program: Program,
    layout: Layout,
    memory: WebAssembly.Memory,
    kernels: KernelExports,
    threads: number,
    helpers: readonly HelperThread[],
  ) {
    this.#segments = layout.segments;
    this.#addressOf = addresses(layout);
    this.#kernels = kernels;
    this.#threads = threads;
    this.#helpers = helpers;
    this.#floats = new Float32Array(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    this.#indices = new Uint32Array(memory.buffer);
    this.memoryBytes = layout.totalBytes;
    this.#indices.set(layout.header, HEADER >> 2);
    for (const { offset, array } of layout.arrays) {
      const memoryOf = array.float ? this.#floats : this.#indices;
      array.fill(memoryOf.subarray(offset / 4, offset / 4 + array.length));
    }
    for (const [tensor, data] of program.constants) this.write(tensor, (array) => array.set(data));
  }

  #view(tensor: Tensor): Float32Array | Uint32Array {
    if (tensor.dtype === "mask") throw new InternalError("a mask: only kernels can read or write it");
    const start = this.#addressOf(tensor) / 4;
    const source = tensor.dtype === "float" ? this.#floats : this.#indices;
    return source.subarray(start, start + tensor.rows * tensor.cols);
  }

  write(tensor: Tensor, fill: (data: Float32Array | Uint32Array) => void): void {
    fill(this.#view(tensor));
  }

  fillSymmetric(tensor: Tensor, { seed, purpose }: StreamName, bound: number, first = 0): void {
    const { byteOffset, length } = this.#view(tensor);
    const [key0, key1, epoch] = streamKey(seed, purpose);
    this.#kernels.fillSymmetric(byteOffset, length, key0, key1, epoch, bound, first / 4);
  }

  async read(tensor: Tensor): Promise<Float32Array | Float64Array> {
    // not slice, which would return shared memory; float64, because float32 cannot hold every index
    const view = this.#view(tensor);
    return tensor.dtype === "index" ? new Float64Array(view) : new Float32Array(view);
  }

  async readRows(tensor: Tensor, rows: Uint32Array, into?: FloatArray): Promise<Float32Array> {
    return this.readRowsNow(tensor, rows, into);
  }

  readRowsNow(tensor: Tensor, rows: Uint32Array, into?: FloatArray): Float32Array {
    const room = roomFor(rows.length * tensor.cols, into);
    return copyRows(this.#floatView(tensor), tensor.cols, rows, room);
  }

  writeRows(tensor: Tensor, first: number, end: number, data: ArrayLike<number> | undefined): void {
    this.#floatView(tensor)
      .subarray(first * tensor.cols, end * tensor.cols)
      .set(data ?? []);
  }

  #floatView(tensor: Tensor): Float32Array {
    const view = this.#view(tensor);
    if (view instanceof Float32Array) return view;
    throw new InternalError("a tensor of indices: only tensors of float numbers are read and written by rows");
  }

  run(segment: string): void {
    for (const { firstStep, numSteps, host } of this.#segment(segment).stretches) {
      if (numSteps > 0) this.#replay(firstStep, numSteps);
      if (host !== undefined) this.#runOnHost(host);
    }
  }

  #replay(firstStep: number, numSteps: number): void {
    if (this.#threads > 1) {
      this.#words[CONTROL.steps >> 2] = firstStep;
      this.#words[CONTROL.count >> 2] = numSteps;
      Atomics.add(this.#words, CONTROL.job >> 2, 1);
      Atomics.notify(this.#words, CONTROL.job >> 2);
    }
    this.#kernels.replay(firstStep, numSteps, this.#threads, CONTROL.barrier);
  }

  #runOnHost({ op, inputs, outputs }: ReplayedInstruction): void {
    const words = (tensor: Tensor) => {
      const { byteOffset, length } = this.#view(tensor);
      return this.#indices.subarray(byteOffset / 4, byteOffset / 4 + length);
    };
    op.host?.(inputs.map(words), outputs.map(words));
  }

  async findNonFinite(segment: string, agree = (bad: boolean) => bad): Promise<string | undefined> {
    for (const { instruction, firstStep, numSteps } of this.#segment(segment).instructions) {
      if (numSteps > 0) this.#kernels.replay(firstStep, numSteps, 1, CONTROL.barrier);
      if (instruction.op.host !== undefined) this.#runOnHost(instruction);
      const bad = instruction.outputs.some(
        (tensor) => tensor.dtype === "float" && !this.#view(tensor).every(Number.isFinite),
      );
      if (agree(bad)) return instruction.op.name;
    }
    return undefined;
  }

  #segment(name: string) {
    const segment = this.#segments.get(name);
    if (segment === undefined) {
      throw new InternalError(
        `segment ${name} does not exist; the program has ${[...this.#segments.keys()].join(", ")}`,
      );
    }
    return segment;
  }

  async dispose(): Promise<void> {
    if (this.#threads > 1) {
      this.#words[CONTROL.stop >> 2] = 1;
      Atomics.add(this.#words, CONTROL.job >> 2, 1);
      Atomics.notify(this.#words, CONTROL.job >> 2);
    }
    await Promise.all(this.#helpers.map((helper) => helper.end()));
  }
}
