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

/** `index`: unsigned 32-bit integers; `mask`: one bit per entry, written and read by kernels only. */
export type DType = "float" | "index" | "mask";

/** `parameter` and `state` last for the run; `constant` and `input` are written by the host; `value` is an op's output. */
export type TensorKind = "parameter" | "state" | "constant" | "input" | "value";

/** A matrix of a program. It has a shape; only an engine that runs the program gives it numbers. */
export interface Tensor {
  readonly id: number;
  readonly rows: number;
  readonly cols: number;
  readonly dtype: DType;
  readonly kind: TensorKind;
  readonly name?: string;
  /** False for a constant or input whose rows are not nodes, even if it has as many; it is not divided among ranks. */
  readonly areRowsNodes?: boolean;
  /** Whether this state has no values after a replay of a segment that does not use it: such segments may use its memory. */
  readonly isTransient?: boolean;
  readonly builder: ProgramBuilder;
}

/** A matrix of numbers, row by row. */
export interface HostTensor {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
}

/** An argument of a kernel, made from the attributes of its op. */
export type KernelArgument =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly sparse: SparseOperator }
  | { readonly sparseList: readonly SparseOperator[] };

/** A tensor as a kernel sees it. A kernel may see the rows of all ranks although only the rows of this rank are stored. */
export interface KernelTensor {
  /** Undefined if the kernel does not read or write it. */
  readonly tensor?: Tensor;
  readonly rows: number;
  readonly cols: number;
  /** Number that the kernel gives the first stored row. */
  readonly firstRow: number;
}

/** The part of a kernel that an instruction of a partitioned program runs. */
export interface KernelPart {
  /** `run` with the preparation before it, or `finish`. */
  readonly phase: "run" | "finish";
  readonly outputs: readonly KernelTensor[];
  readonly inputs: readonly KernelTensor[];
  /** Storage in place of the kernel's own scratch space, from byte `offset` on. */
  readonly scratch?: { readonly tensor: Tensor; readonly offset: number };
  /** Chunks first … end−1 of `count` chunks that the blocks of `run` divide evenly; default: all. */
  readonly chunks?: { readonly first: number; readonly end: number; readonly count: number };
}

/** The shape of a result. */
export interface OutputSpec {
  readonly rows: number;
  readonly cols: number;
  readonly dtype?: DType;
}

/** What an op's `gradient` receives. */
export interface GradientContext<A> {
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  /** ∂loss/∂output for each output; undefined if the loss does not depend on it. */
  readonly gradients: readonly (Tensor | undefined)[];
  readonly attributes: A;
}

/** One mathematical operation. Its kernels have the same name. */
export interface Op<A = unknown> {
  readonly name: string;
  /** Shapes of the outputs; throws InternalError when the inputs do not fit. */
  outputs(inputs: readonly Tensor[], attributes: A): OutputSpec[];
  /** The definition: plain loops with float64 sums. */
  reference(inputs: readonly HostTensor[], outputs: readonly HostTensor[], attributes: A): void;
  /** Gradients of the inputs, undefined for an input that has none; or the reason why the op has no gradient. */
  readonly gradient: ((context: GradientContext<A>) => (Tensor | undefined)[]) | string;
  /** The arguments of the kernel, in the order in which it reads them. */
  encode?(attributes: A): KernelArgument[];
  /** Number of the input whose storage output 0 may reuse if no later instruction reads that input. */
  readonly inPlace?: number;
  /** The output is input 0 in another shape; engines run nothing. */
  readonly alias?: boolean;
  /**
   * Multiply-adds of one call: `dense` for dense products, `gathered` for products of chosen rows. Without it the time of
   * the op is estimated from its sparse matrices or, if it has none, from the bytes it reads and writes.
   */
  work?(inputs: readonly Tensor[], outputs: readonly Tensor[]): Pick<Work, "dense" | "gathered">;
  /** Numbers of the inputs that the op overwrites; such an instruction is never dropped. */
  readonly mutates?: readonly number[];
  /** The phases and rows of the kernel that run, if not all. */
  part?(inputs: readonly Tensor[], outputs: readonly Tensor[]): KernelPart;
  /** Runs on the host between kernels instead of a kernel; receives the storage of inputs and outputs as 32-bit words. */
  host?(inputs: readonly Uint32Array[], outputs: readonly Uint32Array[]): void;
}

/** One call of an op. */
export interface Instruction {
  readonly op: Op;
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  readonly attributes: unknown;
}

/** Tensors that the host fills before every replay from the stream (seed, purpose, step). */
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
  /** Tensors that the host reads after a replay, by segment: their storage is kept until its end. */
  readonly results: ReadonlyMap<string, readonly Tensor[]>;
  readonly randomInputs: readonly RandomInput[];
  /** Number of nodes: tensors with so many rows, or a multiple, can be divided among ranks. Undefined: none can. */
  readonly numNodes?: number;
}

/** Makes the tensors of a program and records the ops that are called on them. */
export class ProgramBuilder {
  readonly #tensors: Tensor[] = [];
  readonly #constants = new Map<Tensor, ArrayLike<number>>();
  readonly #segments = new Map<string, Instruction[]>();
  readonly #results = new Map<string, Tensor[]>();
  readonly #randomInputs: RandomInput[] = [];
  readonly #producers = new Map<Tensor, Instruction>();
  readonly #numNodes: number | undefined;
  #current: Instruction[] | undefined;

  constructor(numNodes?: number) {
    this.#numNodes = numNodes;
  }

  #tensor(
    rows: number,
    cols: number,
    dtype: DType,
    kind: TensorKind,
    more: Pick<Tensor, "name" | "areRowsNodes" | "isTransient"> = {},
  ): Tensor {
    if (!(rows >= 0 && cols >= 0))
      throw new InternalError(`tensor ${more.name ?? ""}: shape ${rows} × ${cols}; expected numbers of at least 0`);
    const tensor: Tensor = { id: this.#tensors.length, rows, cols, dtype, kind, ...more, builder: this };
    this.#tensors.push(tensor);
    return tensor;
  }

  /** A trained tensor; the training loop writes its starting values. */
  parameter(name: string, rows: number, cols: number): Tensor {
    return this.#tensor(rows, cols, "float", "parameter", { name });
  }

  /** Storage that keeps its values between replays, such as moments. Starts at zero. */
  state(name: string, rows: number, cols: number, { isTransient }: Pick<Tensor, "isTransient"> = {}): Tensor {
    return this.#tensor(rows, cols, "float", "state", { name, isTransient });
  }

  /** A tensor with fixed values. */
  constant(data: ArrayLike<number>, rows: number, cols: number, dtype: DType = "float", areRowsNodes = true): Tensor {
    if (data.length !== rows * cols)
      throw new InternalError(`constant: ${data.length} values; expected ${rows} × ${cols}`);
    const tensor = this.#tensor(rows, cols, dtype, "constant", { areRowsNodes });
    this.#constants.set(tensor, data);
    return tensor;
  }

  /** A tensor that the host writes before a replay. */
  input(name: string, rows: number, cols: number, dtype: DType = "float", areRowsNodes = true): Tensor {
    return this.#tensor(rows, cols, dtype, "input", { name, areRowsNodes });
  }

  /** Inputs that are drawn again for every replay. */
  random(
    purpose: string,
    specs: readonly OutputSpec[],
    fill: (arrays: readonly (Uint32Array | Float32Array | Float64Array)[], rng: Rng) => void,
  ): Tensor[] {
    const tensors = specs.map((spec, i) => this.input(`${purpose}.${i}`, spec.rows, spec.cols, spec.dtype));
    this.#randomInputs.push({ purpose, tensors, fill });
    return tensors;
  }

  /** Records the ops that `trace` calls as a segment; the tensors it returns can be read after a replay. */
  segment(name: string, trace: () => readonly Tensor[]): void {
    if (this.#current !== undefined) throw new InternalError("segment: called while another segment is traced");
    const instructions: Instruction[] = [];
    this.#current = instructions;
    try {
      this.#results.set(name, [...trace()]);
    } finally {
      this.#current = undefined;
    }
    this.#segments.set(name, instructions);
  }

  /** Records one call of an op; returns its outputs. */
  apply<A>(op: Op<A>, inputs: readonly Tensor[], attributes: A): Tensor[] {
    if (this.#current === undefined) throw new InternalError(`op ${op.name}: called outside a segment`);
    const outputs = op
      .outputs(inputs, attributes)
      .map((spec) => this.#tensor(spec.rows, spec.cols, spec.dtype ?? "float", "value"));
    const instruction: Instruction = { op: op as Op, inputs, outputs, attributes };
    this.#current.push(instruction);
    for (const output of outputs) this.#producers.set(output, instruction);
    return outputs;
  }

  /** The instruction whose output the tensor is, if there is one. */
  producer(tensor: Tensor): Instruction | undefined {
    return this.#producers.get(tensor);
  }

  /** Instructions of the segment being traced, in order. */
  get tracing(): readonly Instruction[] {
    return this.#current ?? [];
  }

  /** The program, without instructions whose outputs are not used. */
  finish(): Program {
    const segments = new Map<string, readonly Instruction[]>();
    for (const [name, instructions] of this.#segments) {
      segments.set(name, dropUnused(instructions, this.#results.get(name) ?? []));
    }
    return {
      tensors: this.#tensors,
      constants: new Map(this.#constants),
      segments,
      results: this.#results,
      randomInputs: this.#randomInputs,
      numNodes: this.#numNodes,
    };
  }

  /**
   * Forgets instructions and constants: only programs that are already finished have them. Every tensor keeps its builder in memory, and
   * the builder its matrices.
   */
  forget(): void {
    this.#constants.clear();
    this.#segments.clear();
    this.#producers.clear();
  }
}

/** Removes instructions whose outputs are not read. */
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

/** Declares an op: returns its argument, and fixes the type of the attributes. */
export function defineOp<A>(op: Op<A>): Op<A> {
  return op;
}

/** Throws InternalError unless the shapes fit: wrong shapes are a fault of the model, not of the user's data. */
export function requireShape(condition: boolean, op: string, inputs: readonly Tensor[]): void {
  if (condition) return;
  const shapes = inputs.map((input) => `${input.rows}×${input.cols}`).join(", ");
  throw new InternalError(`${op}: shapes ${shapes} do not fit`);
}
