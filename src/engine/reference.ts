/**
 * The engine that tests compare with: every tensor is a float64 array, every instruction runs the reference of its op. Slow and
 * simple.
 */

import { InternalError } from "../core/errors.js";
import { Rng } from "../core/rng.js";
import { copyRows, type Engine, type Executable, type StreamName } from "./engine.js";
import type { HostTensor, Program, Tensor } from "./program.js";

/** Runs programs in float64 with one thread. */
export const referenceEngine: Engine = {
  name: "reference",
  description: "reference (float64, one thread)",
  numThreads: 1,
  kernels: "reference float64",
  memoryLimit: Number.POSITIVE_INFINITY,
  estimate: async ({ tensors }) => tensors.reduce((sum, { rows, cols }) => sum + 8 * rows * cols, 0),
  compile: async (program) => new ReferenceExecutable(program),
};

class ReferenceExecutable implements Executable {
  readonly #program: Program;
  readonly #values: HostTensor[];
  readonly memoryBytes: number;

  constructor(program: Program) {
    this.#program = program;
    this.#values = program.tensors.map(({ rows, cols }) => ({ rows, cols, data: new Float64Array(rows * cols) }));
    for (const [tensor, data] of program.constants) this.#values[tensor.id].data.set(data);
    this.memoryBytes = this.#values.reduce((sum, value) => sum + value.data.byteLength, 0);
  }

  write(tensor: Tensor, fill: (data: Float64Array | Uint32Array) => void): void {
    const { data } = this.#values[tensor.id];
    if (tensor.dtype === "float") {
      fill(data);
      return;
    }
    const staged = Uint32Array.from(data);
    fill(staged);
    data.set(staged);
  }

  fillSymmetric(tensor: Tensor, { seed, purpose }: StreamName, bound: number): void {
    new Rng(seed, purpose).fillSymmetric(this.#values[tensor.id].data, bound);
  }

  async read(tensor: Tensor): Promise<Float64Array> {
    return this.#values[tensor.id].data.slice();
  }

  async readRows(tensor: Tensor, rows: Uint32Array): Promise<Float64Array> {
    return this.readRowsNow(tensor, rows);
  }

  readRowsNow(tensor: Tensor, rows: Uint32Array): Float64Array {
    return copyRows(this.#values[tensor.id].data, tensor.cols, rows, new Float64Array(rows.length * tensor.cols));
  }

  writeRows({ id, cols }: Tensor, first: number, end: number, data: ArrayLike<number> | undefined): void {
    this.#values[id].data.subarray(first * cols, end * cols).set(data ?? []);
  }

  run(segment: string): void {
    this.#replay(segment, () => false);
  }

  async findNonFinite(segment: string): Promise<string | undefined> {
    return this.#replay(segment, (values) => values.some(({ data }) => data.some((x) => !Number.isFinite(x))));
  }

  /** Runs the segment. Stops after the first instruction for whose outputs `isBad` is true and returns the name of its op. */
  #replay(segment: string, isBad: (outputs: HostTensor[]) => boolean): string | undefined {
    const instructions = this.#program.segments.get(segment);
    if (instructions === undefined) throw new InternalError(`segment ${segment} does not exist`);
    for (const { op, inputs, outputs, attributes } of instructions) {
      const results = outputs.map((tensor) => this.#values[tensor.id]);
      op.reference(
        inputs.map((tensor) => this.#values[tensor.id]),
        results,
        attributes,
      );
      if (isBad(results)) return op.name;
    }
    return undefined;
  }

  async dispose(): Promise<void> {}
}
