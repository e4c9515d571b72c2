/**
 * The layout of a program on the device: places of tensors and matrices, arguments of the calls, variants of the shaders, dispatches.
 *
 * Arguments of a call, in words: address, rows and columns of each output; the attributes; addresses of the scratch space, floats and
 * words; address, rows and columns of each input. Addresses count words from the beginning of the memory of floats or of words.
 */

import { InternalError, UnsupportedError } from "../../core/errors.js";
import { appendAll } from "../../numeric/append-all.js";
import { type Plan, planMemory, type Stages, tensorBytes } from "../plan.js";
import type { Instruction, KernelArgument, Program, Tensor } from "../program.js";
import type { SparseOperator } from "../sparse.js";
import { KERNELS } from "./generated/kernels.js";
import { producerOf } from "./joins/flat-chain.js";
import { joinFlat } from "./joins/flat-chains.js";
import { findStarts, viewRows } from "./joins/row-views.js";
import { joinSums } from "./joins/sums.js";
import type { Call, Kernel, Phase } from "./kernel.js";
import { groupInstructions } from "./schedule.js";
import { LAUNCH_BYTES, LAUNCH_HEADER, type Variant } from "./shader.js";
import { floatBits, type StoredArray, StoredArrays } from "./stored-arrays.js";

/** Largest number of workgroups in one dimension of the grid that every device allows. */
const MAX_GRID = 65535;
/**
 * Largest number of bytes of the outputs of an instruction that is grouped with others. At 8 MiB the card needs more than the 5 µs of a
 * dispatch for the bytes alone.
 */
const GROUPED_BYTES = 8 * 2 ** 20;

/** A kernel with its constants; dispatches of one variant and entry share a pipeline. */
export interface ShaderVariant extends Variant {
  readonly kernel: Kernel;
  readonly name: string;
}

export interface Dispatch {
  readonly variant: string;
  readonly entry: string;
  /** Number of the launch in the uniform buffer. */
  readonly launch: number;
  readonly width: number;
  readonly height: number;
}

/** What runs at the same time, and what `findNonFinite` checks after it. */
export interface DispatchedStage {
  readonly op: string;
  readonly dispatches: readonly Dispatch[];
  /** The results, each with the op that computes it. */
  readonly outputs: readonly { readonly tensor: Tensor; readonly op: string }[];
}

export interface Layout {
  readonly floatWords: number;
  readonly wordWords: number;
  readonly args: Uint32Array;
  readonly launches: Uint32Array;
  readonly arrays: { readonly floats: readonly StoredArray[]; readonly words: readonly StoredArray[] };
  readonly segments: ReadonlyMap<string, readonly DispatchedStage[]>;
  readonly variants: ReadonlyMap<string, ShaderVariant>;
  /** Address of a tensor in words. */
  addressOf(tensor: Tensor): number;
}

/** Whether the tensor lies in the memory of floats. */
export function isFloat({ dtype }: Pick<Tensor, "dtype">): boolean {
  return dtype === "float";
}

interface Placed {
  readonly call: Call;
  readonly variant: string;
  readonly phases: readonly Phase[];
  readonly scratch: { readonly floats?: number; readonly words?: number };
}

export function layOut(program: Program): Layout {
  const variants = new Map<string, ShaderVariant>();
  const placed = new Map<Instruction, Placed>();
  const stages = new Map<string, Stages>();
  for (const [name, instructions] of program.segments) {
    const results = program.results.get(name) ?? [];
    const isSmall = (tensor: Tensor) => tensorBytes(tensor) <= GROUPED_BYTES;
    const joined = joinFlat(joinSums(viewRows(instructions), results, isSmall), results, isSmall);
    for (const instruction of joined) if (!instruction.op.alias) placed.set(instruction, place(instruction, variants));
    const bytesOf = (tensors: readonly Tensor[]) => tensors.reduce((sum, tensor) => sum + tensorBytes(tensor), 0);
    const grouping = {
      keyOf: (instruction: Instruction) => placed.get(instruction)?.variant,
      isMovable: ({ outputs, inputs }: Instruction) =>
        bytesOf(outputs.length > 0 ? outputs : inputs.slice(0, 1)) <= GROUPED_BYTES,
      canWait: (waiting: readonly Instruction[]) => {
        const read = new Set(waiting.flatMap(({ inputs }) => inputs));
        return bytesOf([...read].filter(({ kind }) => kind === "value")) <= GROUPED_BYTES;
      },
    };
    stages.set(name, groupInstructions(joined, grouping));
  }
  const starts = findStarts([...stages.values()].flat(2));
  const planOf = (kind: "floats" | "words"): Plan =>
    planMemory(program, {
      scratchBytes: (instruction) => 4 * (placed.get(instruction)?.scratch[kind] ?? 0),
      holds: (tensor) => isFloat(tensor) === (kind === "floats"),
      isShifted: (tensor) => starts.has(tensor),
      stages: (segment) => stages.get(segment) ?? [],
    });
  const plans = { floats: planOf("floats"), words: planOf("words") };
  const arrays = new StoredArrays();
  const writer = new ArgumentWriter(arrays);
  // before the addresses of tensors are known: the arrays of the matrices come before the tensors
  for (const { call } of placed.values()) writer.describeMatrices(call.arguments);
  const bases = { floats: arrays.floatWords, words: arrays.wordWords };
  const addressOf = (tensor: Tensor): number => {
    const kind = isFloat(tensor) ? "floats" : "words";
    const offset = plans[kind].offset.get(tensor);
    if (offset === undefined) throw new InternalError(`tensor ${tensor.name ?? tensor.id} has no place in memory`);
    return bases[kind] + offset / 4 + (starts.get(tensor) ?? 0);
  };
  const scratchOf = (instruction: Instruction, kind: "floats" | "words") =>
    bases[kind] + (plans[kind].scratchOffset.get(instruction) ?? 0) / 4;

  const launches: number[] = [];
  const segments = new Map<string, DispatchedStage[]>();
  for (const [name, list] of stages) {
    const dispatched: DispatchedStage[] = [];
    for (const stage of list) {
      const members = stage.flatMap((instruction) => {
        const found = placed.get(instruction);
        if (found === undefined) return [];
        const scratch = [scratchOf(instruction, "floats"), scratchOf(instruction, "words")];
        return [{ ...found, args: writer.write(found.call, addressOf, scratch) }];
      });
      if (members.length === 0) continue;
      dispatched.push({
        op: stage[0].op.name,
        dispatches: dispatchesOf(members, launches),
        outputs: stage.flatMap((instruction) => {
          return instruction.outputs.map((tensor) => ({ tensor, op: producerOf(instruction, tensor) }));
        }),
      });
    }
    segments.set(name, dispatched);
  }
  return {
    floatWords: bases.floats + plans.floats.totalBytes / 4,
    wordWords: bases.words + plans.words.totalBytes / 4,
    args: Uint32Array.from(writer.words),
    launches: Uint32Array.from(launches),
    arrays,
    segments,
    variants,
    addressOf,
  };
}

/** Chooses the variant of the kernel of an instruction. */
function place(
  { op, inputs, outputs: written, attributes }: Instruction,
  variants: Map<string, ShaderVariant>,
): Placed {
  const kernel = KERNELS[op.name];
  if (kernel === undefined || op.part !== undefined || op.host !== undefined) {
    throw new UnsupportedError(
      `engine: webgpu cannot run the op ${op.name}${op.host === undefined ? "" : " of several ranks"}; use --engine wasm`,
    );
  }
  const encoded = op.encode?.(attributes) ?? [];
  const { launch } = kernel;
  const outputs = Array.from({ length: launch.numOutputs ?? written.length }, (_, k) => written[k] ?? written[0]);
  const call: Call = { inputs, outputs, arguments: encoded };
  const width = launch.width?.(call) ?? 4;
  const constants = launch.constants?.(call) ?? {};
  const attributeWords = encoded.reduce((sum, argument) => sum + ("sparseList" in argument ? 2 : 1), 0);
  const numOutputs = outputs.length;
  const values = Object.entries(constants).map(([name, value]) => `${name}=${value}`);
  const name = [op.name, `width=${width}`, `outputs=${numOutputs}`, `attributes=${attributeWords}`, ...values].join(
    " ",
  );
  if (!variants.has(name)) variants.set(name, { kernel, name, width, numOutputs, attributeWords, constants });
  return { call, variant: name, phases: launch.phases(call), scratch: launch.scratch?.(call) ?? {} };
}

/** Appends the launches of the calls of a stage, one for each phase in which there is work. */
function dispatchesOf(members: readonly (Placed & { readonly args: number })[], launches: number[]): Dispatch[] {
  const [{ variant, phases }] = members;
  return phases.flatMap(({ entry }, p): Dispatch[] => {
    const active = members.filter((member) => member.phases[p].workgroups > 0);
    if (active.length === 0) return [];
    const table: number[] = [];
    let first = 0;
    for (const member of active) {
      const { workgroups, first: firstNumber = 0 } = member.phases[p];
      table.push(first, member.args, workgroups, firstNumber);
      first += workgroups;
    }
    const width = Math.min(first, MAX_GRID);
    const height = Math.ceil(first / width);
    if (height > MAX_GRID) throw new UnsupportedError(`engine: ${first} workgroups are too many for webgpu`);
    const launch = launches.length / (LAUNCH_BYTES / 4);
    launches.push(active.length, width, first, p);
    appendAll(launches, table);
    for (let k = LAUNCH_HEADER + table.length; k < LAUNCH_BYTES / 4; k++) launches.push(0);
    return [{ variant, entry, launch, width, height }];
  });
}

/** Writes the arguments of calls. */
class ArgumentWriter {
  readonly words: number[] = [];
  readonly #arrays: StoredArrays;
  readonly #matrices = new Map<SparseOperator, number>();
  readonly #lists = new Map<readonly SparseOperator[], number>();

  constructor(arrays: StoredArrays) {
    this.#arrays = arrays;
  }

  describeMatrices(encoded: readonly KernelArgument[]): void {
    for (const argument of encoded) {
      if ("sparse" in argument) this.#matrix(argument.sparse);
      if ("sparseList" in argument) this.#list(argument.sparseList);
    }
  }

  /** Writes a call; returns its place. */
  write(call: Call, addressOf: (tensor: Tensor) => number, scratch: readonly number[]): number {
    const place = this.words.length;
    const writeTensor = (tensor: Tensor) => this.words.push(addressOf(tensor), tensor.rows, tensor.cols);
    call.outputs.forEach(writeTensor);
    for (const argument of call.arguments) {
      if ("int" in argument) this.words.push(argument.int >>> 0);
      else if ("float" in argument) this.words.push(floatBits(argument.float));
      else if ("sparse" in argument) this.words.push(this.#matrix(argument.sparse));
      else this.words.push(argument.sparseList.length, this.#list(argument.sparseList));
    }
    appendAll(this.words, scratch);
    call.inputs.forEach(writeTensor);
    return place;
  }

  #matrix(matrix: SparseOperator): number {
    const known = this.#matrices.get(matrix);
    if (known !== undefined) return known;
    const described = this.#arrays.describe(matrix);
    const place = this.words.length;
    appendAll(this.words, described);
    this.#matrices.set(matrix, place);
    return place;
  }

  #list(matrices: readonly SparseOperator[]): number {
    const known = this.#lists.get(matrices);
    if (known !== undefined) return known;
    const places = matrices.map((matrix) => this.#matrix(matrix));
    const place = this.words.length;
    for (const at of places) this.words.push(at);
    this.#lists.set(matrices, place);
    return place;
  }
}
