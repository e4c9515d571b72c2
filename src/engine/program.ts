/**
 * A traced program: tensors, and per segment the list of instructions that an engine replays.
 *
 * Models call ops on symbolic tensors; each call appends one instruction. Nothing is computed while tracing. All
 * tensors have two axes (a vector is one row or one column, a scalar 1 × 1).
 */

import { InternalError } from "../core/errors.js";
import type { Rng } from "../core/rng.js";
import type { Work } from "../core/work.js";
import type { SparseOperator } from "./sparse.js";

/** `index`: unsigned 32-bit integers; `mask`: one bit per entry, made and read by kernels only. */
export type DType = "float" | "index" | "mask";

/** `parameter` and `state` last for the run; `constant` and `input` are written by the host; `value` is an op's output. */
export type TensorKind = "parameter" | "state" | "constant" | "input" | "value";

/** A matrix of a program, by its shape: numbers are there once an engine runs it. */
export interface Tensor {
  readonly id: number;
  readonly rows: number;
  readonly cols: number;
  readonly dtype: DType;
  readonly kind: TensorKind;
  readonly name?: string;
  readonly builder: ProgramBuilder;
}

/** A matrix of numbers, row by row. */
export interface HostTensor {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
}

/** What an engine is told about an attribute, in the order its kernel reads them. */
export type KernelArgument =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly sparse: SparseOperator }
  | { readonly sparseList: readonly SparseOperator[] };

/** The shape of a result. */
export interface OutputSpec {
  readonly rows: number;
  readonly cols: number;
  readonly dtype?: DType;
}

/** What the gradient of an op is made of. */
export interface GradientContext<A> {
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  /** ∂loss/∂output for each output; undefined where the loss does not depend on it. */
  readonly gradients: readonly (Tensor | undefined)[];
  readonly attributes: A;
}

/** One mathematical operation. Kernels of the engines bear its name. */
export interface Op<A = unknown> {
  readonly name: string;
  /** Shapes of the outputs; throws InternalError when the inputs do not fit. */
  outputs(inputs: readonly Tensor[], attributes: A): OutputSpec[];
  /** The definition: plain loops, double accumulators. */
  reference(inputs: readonly HostTensor[], outputs: readonly HostTensor[], attributes: A): void;
  /** Gradients of the inputs, undefined where none is needed; or the reason why the op has no gradient. */
  readonly gradient: ((context: GradientContext<A>) => (Tensor | undefined)[]) | string;
  encode?(attributes: A): KernelArgument[];
  /** Input whose storage output 0 may take over when nobody reads it afterwards. */
  readonly inPlace?: number;
  /** The output is the input under another shape; no engine runs anything. */
  readonly alias?: boolean;
  /**
   * Multiply-adds of one call: `dense` for dense products, `gathered` for products of chosen rows. Without it the time of
   * the op is estimated from its sparse matrices or, if it has none, from the bytes it reads and writes.
   */
  work?(inputs: readonly Tensor[], outputs: readonly Tensor[]): Pick<Work, "dense" | "gathered">;
  /** Inputs that the op overwrites; such an instruction is never dropped. */
  readonly mutates?: readonly number[];
}

/** One call of an op. */
export interface Instruction {
  readonly op: Op;
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  readonly attributes: unknown;
}

/** Tensors that the host fills anew before every replay from the stream (seed, purpose, step). */
export interface RandomInput {
  readonly purpose: string;
  readonly tensors: readonly Tensor[];
  fill(arrays: readonly (Uint32Array | Float32Array | Float64Array)[], rng: Rng): void;
}

/** What an engine compiles. */
export interface Program {
  readonly tensors: readonly Tensor[];
  readonly constants: ReadonlyMap<Tensor, ArrayLike<number>>;
  readonly segments: ReadonlyMap<string, readonly Instruction[]>;
  /** Tensors the host reads after a replay, by segment: their storage is kept to the end of it. */
  readonly results: ReadonlyMap<string, readonly Tensor[]>;
  readonly randomInputs: readonly RandomInput[];
}

/** Makes the tensors of a program and writes down the ops that are called on them. */
export class ProgramBuilder {
  readonly #tensors: Tensor[] = [];
  readonly #constants = new Map<Tensor, ArrayLike<number>>();
  readonly #segments = new Map<string, Instruction[]>();
  readonly #results = new Map<string, Tensor[]>();
  readonly #randomInputs: RandomInput[] = [];
  readonly #producers = new Map<Tensor, Instruction>();
  #current: Instruction[] | undefined;

  #tensor(rows: number, cols: number, dtype: DType, kind: TensorKind, name?: string): Tensor {
    if (!(rows >= 0 && cols >= 0)) throw new InternalError(`tensor ${name ?? ""} of shape ${rows} × ${cols}`);
    const tensor: Tensor = { id: this.#tensors.length, rows, cols, dtype, kind, name, builder: this };
    this.#tensors.push(tensor);
    return tensor;
  }

  /** A trained tensor; its starting values are written by the training loop. */
  parameter(name: string, rows: number, cols: number): Tensor {
    return this.#tensor(rows, cols, "float", "parameter", name);
  }

  /** Storage that lasts from replay to replay: moments, best values. Starts at zero. */
  state(name: string, rows: number, cols: number): Tensor {
    return this.#tensor(rows, cols, "float", "state", name);
  }

  constant(data: ArrayLike<number>, rows: number, cols: number, dtype: DType = "float"): Tensor {
    if (data.length !== rows * cols) throw new InternalError(`constant of ${data.length} values as ${rows} × ${cols}`);
    const tensor = this.#tensor(rows, cols, dtype, "constant");
    this.#constants.set(tensor, data);
    return tensor;
  }

  /** A tensor that the host writes before a replay. */
  input(name: string, rows: number, cols: number, dtype: DType = "float"): Tensor {
    return this.#tensor(rows, cols, dtype, "input", name);
  }

  /** Inputs drawn anew for every replay. */
  random(
    purpose: string,
    specs: readonly OutputSpec[],
    fill: (arrays: readonly (Uint32Array | Float32Array | Float64Array)[], rng: Rng) => void,
  ): Tensor[] {
    const tensors = specs.map((spec, i) => this.input(`${purpose}.${i}`, spec.rows, spec.cols, spec.dtype));
    this.#randomInputs.push({ purpose, tensors, fill });
    return tensors;
  }

  /** Traces `trace` into the named segment; the tensors it returns can be read after a replay of it. */
  segment(name: string, trace: () => readonly Tensor[]): void {
    if (this.#current !== undefined) throw new InternalError("segments do not nest");
    const instructions: Instruction[] = [];
    this.#current = instructions;
    try {
      this.#results.set(name, [...trace()]);
    } finally {
      this.#current = undefined;
    }
    this.#segments.set(name, instructions);
  }

  apply<A>(op: Op<A>, inputs: readonly Tensor[], attributes: A): Tensor[] {
    if (this.#current === undefined) throw new InternalError(`op ${op.name} outside a segment`);
    const outputs = op
      .outputs(inputs, attributes)
      .map((spec) => this.#tensor(spec.rows, spec.cols, spec.dtype ?? "float", "value"));
    const instruction: Instruction = { op: op as Op, inputs, outputs, attributes };
    this.#current.push(instruction);
    for (const output of outputs) this.#producers.set(output, instruction);
    return outputs;
  }

  /** The instruction that made a tensor, if an op did. */
  producer(tensor: Tensor): Instruction | undefined {
    return this.#producers.get(tensor);
  }

  /** Instructions of the segment being traced, in order. */
  get tracing(): readonly Instruction[] {
    return this.#current ?? [];
  }

  finish(): Program {
    const segments = new Map<string, readonly Instruction[]>();
    for (const [name, instructions] of this.#segments) {
      segments.set(name, dropUnused(instructions, this.#results.get(name) ?? []));
    }
    return {
      tensors: this.#tensors,
      constants: this.#constants,
      segments,
      results: this.#results,
      randomInputs: this.#randomInputs,
    };
  }
}

/** Removes instructions whose outputs nobody reads. */
function dropUnused(instructions: readonly Instruction[], results: readonly Tensor[]): Instruction[] {
  const needed = new Set<Tensor>(results);
  const kept: Instruction[] = [];
  for (let i = instructions.length - 1; i >= 0; i--) {
    const instruction = instructions[i];
    const used = instruction.op.mutates !== undefined || instruction.outputs.some((output) => needed.has(output));
    if (!used) continue;
    kept.push(instruction);
    for (const input of instruction.inputs) needed.add(input);
  }
  return kept.reverse();
}

/** Declares an op; the identity function that fixes its types. */
export function defineOp<A>(op: Op<A>): Op<A> {
  return op;
}

/** Throws InternalError unless the shapes fit: the caller of an op is always this project's code. */
export function requireShape(condition: boolean, op: string, inputs: readonly Tensor[]): void {
  if (condition) return;
  const shapes = inputs.map((input) => `${input.rows}×${input.cols}`).join(", ");
  throw new InternalError(`${op}: shapes ${shapes} do not fit`);
}
