/** A program on a GPU. Calls record commands; they are submitted before the host writes or waits. */

import { InternalError, UnsupportedError } from "../../core/errors.js";
import { Rng } from "../../core/rng.js";
import { copyRows, type Executable, type StreamName } from "../engine.js";
import type { Tensor } from "../program.js";
import type { DeviceState } from "./device-state.js";
import { type DispatchedStage, isFloat, type Layout } from "./layout.js";
import type { PagedMemory } from "./memory.js";
import { Readback } from "./readback.js";

/** Everything on the device that belongs to a program. */
export interface DeviceProgram {
  readonly floats: PagedMemory;
  readonly words: PagedMemory;
  bindGroup(launch: number): GPUBindGroup;
  /** Buffers besides the pages. */
  readonly buffers: readonly GPUBuffer[];
  pipeline(variant: string, entry: string): GPUComputePipeline;
}

/** A stage with everything that a replay needs. */
interface ReadyStage extends Pick<DispatchedStage, "outputs"> {
  readonly dispatches: readonly {
    readonly pipeline: GPUComputePipeline;
    readonly bindGroup: GPUBindGroup;
    readonly width: number;
    readonly height: number;
  }[];
}

function makeReady({ outputs, dispatches }: DispatchedStage, program: DeviceProgram): ReadyStage {
  const ready = dispatches.map(({ variant, entry, launch, width, height }) => {
    return { pipeline: program.pipeline(variant, entry), bindGroup: program.bindGroup(launch), width, height };
  });
  return { outputs, dispatches: ready };
}

/** Numbers that `fillSymmetric` draws at a time; a multiple of four. */
const DRAWN_AT_ONCE = 2 ** 22;

export class WebgpuExecutable implements Executable {
  readonly isQueued = true;
  readonly memoryBytes: number;
  readonly #state: DeviceState;
  readonly #layout: Layout;
  readonly #program: DeviceProgram;
  readonly #readback: Readback;
  readonly #segments: ReadonlyMap<string, readonly ReadyStage[]>;
  /** Copies of the inputs on the host: `fill` may write a part. */
  readonly #mirrors = new Map<Tensor, Float32Array | Uint32Array>();
  #encoder: GPUCommandEncoder | undefined;
  #isReleased = false;

  constructor(state: DeviceState, layout: Layout, program: DeviceProgram) {
    this.#state = state;
    this.#layout = layout;
    this.#program = program;
    this.#readback = new Readback(state.device, () => this.#submit());
    this.#segments = new Map(
      [...layout.segments].map(([name, stages]) => [name, stages.map((stage) => makeReady(stage, program))]),
    );
    this.memoryBytes = 4 * (layout.floatWords + layout.wordWords);
  }

  write(tensor: Tensor, fill: (data: Float32Array | Float64Array | Uint32Array) => void): void {
    this.#requireMemory();
    if (tensor.dtype === "mask") throw new InternalError("a mask: only kernels can read or write it");
    const size = tensor.rows * tensor.cols;
    const make = () => (isFloat(tensor) ? new Float32Array(size) : new Uint32Array(size));
    const data = this.#mirrors.get(tensor) ?? make();
    if (tensor.kind === "input") this.#mirrors.set(tensor, data);
    fill(data);
    this.#store(tensor, 0, data);
  }

  #store(tensor: Tensor, first: number, data: Float32Array | Uint32Array): void {
    this.#submit();
    this.#memoryOf(tensor).write(this.#layout.addressOf(tensor) + first, data);
  }

  fillSymmetric(tensor: Tensor, { seed, purpose }: StreamName, bound: number, first = 0): void {
    this.#requireMemory();
    if (first !== 0) throw new InternalError("webgpu: only whole tensors are filled");
    const size = tensor.rows * tensor.cols;
    const rng = new Rng(seed, purpose);
    const data = new Float32Array(Math.min(size, DRAWN_AT_ONCE));
    for (let done = 0; done < size; done += DRAWN_AT_ONCE) {
      const part = data.subarray(0, Math.min(DRAWN_AT_ONCE, size - done));
      rng.fillSymmetric(part, bound);
      this.#store(tensor, done, part);
    }
  }

  async read(tensor: Tensor): Promise<Float32Array | Float64Array> {
    if (tensor.dtype === "mask") throw new InternalError("a mask: only kernels can read or write it");
    const copied = await this.#download(tensor, 0, tensor.rows * tensor.cols);
    // float64, because float32 cannot hold every index
    return isFloat(tensor) ? new Float32Array(copied) : new Float64Array(new Uint32Array(copied));
  }

  async readRows(tensor: Tensor, rows: Uint32Array): Promise<Float32Array> {
    if (!isFloat(tensor)) {
      throw new InternalError("a tensor of indices: only tensors of float numbers are read and written by rows");
    }
    if (rows.length === 0) return new Float32Array(0);
    const { cols } = tensor;
    // the range of the rows; in most calls it has no others
    let first = rows[0];
    let end = rows[0] + 1;
    for (const row of rows) {
      first = Math.min(first, row);
      end = Math.max(end, row + 1);
    }
    const range = new Float32Array(await this.#download(tensor, first * cols, (end - first) * cols));
    if (end - first === rows.length && rows.every((row, i) => row === first + i)) return range;
    const places = rows.map((row) => row - first);
    return copyRows(range, cols, places, new Float32Array(rows.length * cols));
  }

  async #download(tensor: Tensor, first: number, length: number): Promise<ArrayBuffer> {
    this.#requireMemory();
    if (length === 0) return new ArrayBuffer(0);
    const at = this.#layout.addressOf(tensor) + first;
    const memory = this.#memoryOf(tensor);
    return this.#state.wait(
      this.#readback.read(4 * length, (target, to) => memory.copyTo(this.#commands(), at, length, target, to)),
    );
  }

  writeRows(tensor: Tensor, first: number, end: number, data: ArrayLike<number> | undefined): void {
    this.#requireMemory();
    if (!isFloat(tensor)) throw new InternalError("a tensor of indices cannot be written by rows");
    if (data === undefined || end === first) return;
    this.#store(tensor, first * tensor.cols, data instanceof Float32Array ? data : Float32Array.from(data));
  }

  run(segment: string): void {
    this.#requireMemory();
    this.#dispatch(this.#segment(segment));
  }

  #dispatch(stages: readonly ReadyStage[]): void {
    const pass = this.#commands().beginComputePass();
    for (const { dispatches } of stages) {
      for (const { pipeline, bindGroup, width, height } of dispatches) {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindGroup);
        pass.dispatchWorkgroups(width, height);
      }
    }
    pass.end();
  }

  async findNonFinite(segment: string): Promise<string | undefined> {
    for (const stage of this.#segment(segment)) {
      this.#dispatch([stage]);
      for (const { tensor, op } of stage.outputs) {
        if (isFloat(tensor) && !(await this.read(tensor)).every(Number.isFinite)) return op;
      }
    }
    return undefined;
  }

  #segment(name: string): readonly ReadyStage[] {
    const segment = this.#segments.get(name);
    if (segment === undefined) {
      const known = [...this.#segments.keys()].join(", ");
      throw new InternalError(`segment ${name} does not exist; the program has ${known}`);
    }
    return segment;
  }

  #memoryOf(tensor: Tensor): PagedMemory {
    return isFloat(tensor) ? this.#program.floats : this.#program.words;
  }

  /** The commands that are not submitted yet. */
  #commands(): GPUCommandEncoder {
    if (this.#encoder === undefined) {
      this.#encoder = this.#state.device.createCommandEncoder();
      // what nobody reads starts at the end of the current turn
      queueMicrotask(() => this.#submit());
    }
    return this.#encoder;
  }

  #submit(): void {
    if (this.#encoder === undefined) return;
    const commands = this.#encoder.finish();
    this.#encoder = undefined;
    this.#state.device.queue.submit([commands]);
  }

  #requireMemory(): void {
    this.#state.require();
    if (this.#isReleased) {
      throw new UnsupportedError(
        "engine: webgpu has freed the memory of this run for a later one; read its parameters before the next run starts.",
      );
    }
  }

  async dispose(): Promise<void> {
    this.#submit();
  }

  /** Frees the memory on the device; afterwards nothing can be read. */
  release(): void {
    if (this.#isReleased) return;
    this.#submit();
    this.#isReleased = true;
    this.#readback.destroy();
    this.#program.floats.destroy();
    this.#program.words.destroy();
    for (const buffer of this.#program.buffers) buffer.destroy();
  }
}
