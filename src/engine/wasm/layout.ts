/**
 * The layout of a program in WebAssembly memory, by address:
 *
 *   0        static data of the kernel binary
 *   64 KiB   control words, matrix descriptors, kernel arguments, steps ("header")
 *            unused rest of a page, then arrays of the sparse matrices
 *            planned tensors (see ../plan.ts), then slack for vector reads past the end
 *
 * The header comes first because the kernels compute the number of blocks and the scratch space of an instruction from its
 * arguments alone: for that a small memory with only the header is enough.
 */

import { InternalError } from "../../core/errors.js";
import { appendAll } from "../../numeric/append-all.js";
import { alignUp, type Plan, planMemory } from "../plan.js";
import type { Instruction, Program, Tensor } from "../program.js";
import type { SparseOperator } from "../sparse.js";
import { KERNEL_NAMES } from "./generated/kernel-names.js";
import { instantiate } from "./variant.js";

/** Bytes of a page of WebAssembly memory. */
export const PAGE = 65536;
/** Size limit of 32-bit WebAssembly memory. */
export const MAX_BYTES = 65536 * PAGE;
/** Bytes after the last tensor that a vector load at its end may touch. */
const SLACK = 256;
/** prepare, run, finish (assembly/kernel.ts). */
const PHASES = 3;
/** Words of a step (assembly/replay.ts). */
const STEP_WORDS = 5;
/** Words of the descriptor of a sparse matrix (assembly/sparse-matrix.ts). */
const DESCRIPTOR_WORDS = 10;

/** Byte offsets of the control words. */
export const CONTROL = {
  barrier: PAGE,
  job: PAGE + 64,
  steps: PAGE + 68,
  count: PAGE + 72,
  stop: PAGE + 76,
};
const HEADER = PAGE + 128;

/** The steps of a segment. */
export interface Segment {
  readonly firstStep: number;
  readonly numSteps: number;
  /** Each instruction that runs, with its first step and number of steps. */
  readonly instructions: readonly { instruction: Instruction; firstStep: number; numSteps: number }[];
}

/** Contents of the header, and the places of arrays and tensors. */
export interface Layout {
  readonly header: Uint32Array;
  readonly arrays: readonly { readonly offset: number; readonly array: StoredArray }[];
  readonly segments: ReadonlyMap<string, Segment>;
  readonly plan: Plan;
  readonly planBase: number;
  readonly totalBytes: number;
}

/** Numbers of a sparse matrix, written when the memory is allocated. */
export interface StoredArray {
  readonly length: number;
  readonly float: boolean;
  /** Only saves time: left out if the memory would be too large. */
  readonly optional?: boolean;
  fill(target: Float32Array | Uint32Array): void;
}

interface Placed {
  instruction: Instruction;
  kernel: number;
  args: number;
  /** Words of the header into which the addresses of tensors and of the scratch space are filled. */
  tensorWords: [word: number, tensor: Tensor][];
  scratchWord: number;
}

/** Computes the layout; `module` is the unshared binary of the variant that will run the program. */
export function layOut(program: Program, module: WebAssembly.Module): Layout {
  // the kernels are instantiated twice: now for their limit of far rows, later for blocks and scratch
  const { farRows } = instantiate(module, new WebAssembly.Memory({ initial: 2, maximum: 65536 }));
  const writer = new HeaderWriter(farRows());
  const placed: Placed[] = [];
  const bySegment = new Map<string, Placed[]>();
  for (const [name, instructions] of program.segments) {
    const list = instructions.filter(({ op }) => !op.alias).map((instruction) => writer.instruction(instruction));
    bySegment.set(name, list);
    appendAll(placed, list);
  }
  const numArgumentWords = writer.words.length;

  // a memory that holds only the header, for calls of blocksOf and scratchOf
  const pages = Math.ceil((HEADER + numArgumentWords * 4) / PAGE) + 1;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 65536 });
  new Uint32Array(memory.buffer, HEADER).set(writer.words);
  const kernels = instantiate(module, memory);
  const scratch = new Map(placed.map((p) => [p.instruction, kernels.scratchOf(p.kernel, p.args) >>> 0]));
  const plan = planMemory(program, (instruction) => scratch.get(instruction) ?? 0);

  const segments = new Map<string, Segment>();
  for (const [name, list] of bySegment) {
    const firstStep = writer.address();
    const instructions = list.map(({ instruction, kernel, args }) => {
      const start = writer.address();
      for (let phase = 0; phase < PHASES; phase++) {
        const blocks = kernels.blocksOf(kernel, phase, args);
        if (blocks > 0) writer.words.push(kernel, phase, blocks, args, 0);
      }
      return { instruction, firstStep: start, numSteps: (writer.address() - start) / (4 * STEP_WORDS) };
    });
    segments.set(name, { firstStep, numSteps: (writer.address() - firstStep) / (4 * STEP_WORDS), instructions });
  }

  const header = Uint32Array.from(writer.words);
  const stored = [...writer.arrays.values()];
  const total = (optional: boolean) =>
    stored.reduce(
      (sum, { array }) => sum + (array.optional === true && !optional ? 0 : alignUp(array.length * 4)),
      alignUp(HEADER + header.byteLength) + plan.totalBytes + SLACK,
    );
  const fits = total(true) <= MAX_BYTES;
  // the unused rest of the last page comes before the arrays, so that a kernel that reads too far past the last tensor traps
  let end = alignUp(HEADER + header.byteLength) + (-total(fits) & (PAGE - 1));
  const arrays = stored.flatMap(({ array, words }) => {
    const omitted = array.optional === true && !fits;
    const offset = end;
    for (const word of words) header[word] = omitted ? 0 : offset;
    if (omitted) return [];
    end = alignUp(offset + array.length * 4);
    return [{ offset, array }];
  });
  for (const { instruction, tensorWords, scratchWord } of placed) {
    for (const [word, tensor] of tensorWords) header[word] = end + offsetOf(plan, tensor);
    header[scratchWord] = end + (plan.scratchOffset.get(instruction) ?? 0);
  }
  return { header, arrays, segments, plan, planBase: end, totalBytes: total(fits) };
}

export const HEADER_BASE = HEADER;

export function offsetOf(plan: Plan, tensor: Tensor): number {
  const offset = plan.offset.get(tensor);
  if (offset === undefined) throw new InternalError(`tensor ${tensor.name ?? tensor.id} has no place in memory`);
  return offset;
}

/** Collects the words of the header; addresses of arrays and tensors are filled in later. */
class HeaderWriter {
  readonly words: number[] = [];
  readonly arrays = new Map<object, { array: StoredArray; words: number[] }>();
  readonly #descriptors = new Map<SparseOperator, number>();
  readonly #lists = new Map<readonly SparseOperator[], number>();
  readonly #farRows: number;

  constructor(farRows: number) {
    this.#farRows = farRows;
  }

  address(): number {
    return HEADER + this.words.length * 4;
  }

  instruction(instruction: Instruction): Placed {
    const { op, inputs, outputs, attributes } = instruction;
    const kernel = KERNEL_NAMES.indexOf(op.name);
    if (kernel < 0) throw new InternalError(`the wasm engine has no kernel for ${op.name}`);
    const encoded = op.encode?.(attributes) ?? [];
    for (const argument of encoded) {
      if ("sparse" in argument) this.#descriptor(argument.sparse);
      if ("sparseList" in argument) this.#list(argument.sparseList);
    }
    const args = this.address();
    const tensorWords: [number, Tensor][] = [];
    const tensor = (t: Tensor) => {
      tensorWords.push([this.words.length, t]);
      this.words.push(0, t.rows, t.cols);
    };
    outputs.forEach(tensor);
    for (const argument of encoded) {
      if ("int" in argument) this.words.push(argument.int >>> 0);
      else if ("float" in argument) this.words.push(floatBits(argument.float));
      else if ("sparse" in argument) this.words.push(this.#descriptor(argument.sparse));
      else this.words.push(argument.sparseList.length, this.#list(argument.sparseList));
    }
    const scratchWord = this.words.length;
    this.words.push(0);
    inputs.forEach(tensor);
    return { instruction, kernel, args, tensorWords, scratchWord };
  }

  #list(matrices: readonly SparseOperator[]): number {
    const known = this.#lists.get(matrices);
    if (known !== undefined) return known;
    const descriptors = matrices.map((matrix) => this.#descriptor(matrix));
    const address = this.address();
    appendAll(this.words, descriptors);
    this.#lists.set(matrices, address);
    return address;
  }

  #descriptor(matrix: SparseOperator): number {
    const known = this.#descriptors.get(matrix);
    if (known !== undefined) return known;
    const address = this.address();
    const first = this.words.length;
    this.words.push(...new Array(DESCRIPTOR_WORDS).fill(0));
    const { rowStart, columns, values, left, right } = matrix;
    this.#data(rowStart, false, first);
    this.#data(columns, false, first + 1);
    if (values !== undefined) this.#data(values, true, first + 2);
    if (left !== undefined) this.#data(left, true, first + 3);
    if (right !== undefined) this.#data(right, true, first + 4);
    if (right !== undefined && matrix.numColumns >= this.#farRows)
      this.#array(matrix, foldedValues(matrix, right), first + 9);
    this.words[first + 5] = floatBits(matrix.diagonal);
    this.words[first + 6] = matrix.numRows;
    this.words[first + 7] = matrix.numColumns;
    this.words[first + 8] = matrix.columns.length;
    this.#descriptors.set(matrix, address);
    return address;
  }

  #data(data: ArrayLike<number>, float: boolean, word: number): void {
    this.#array(data, { length: data.length, float, fill: (target) => target.set(data) }, word);
  }

  /** `key` identifies the array: one that several descriptors use is stored once. */
  #array(key: object, array: StoredArray, word: number): void {
    const entry = this.arrays.get(key) ?? { array, words: [] };
    entry.words.push(word);
    this.arrays.set(key, entry);
    // non-zero for now: blocksOf and scratchOf only check whether there is an array
    this.words[word] = 1;
  }
}

/** Value of each entry times the right scale of its column, rounded as in the kernels. */
function foldedValues({ columns, values }: SparseOperator, right: Float64Array): StoredArray {
  return {
    length: columns.length,
    float: true,
    optional: true,
    fill(target) {
      const scales = Float32Array.from(right);
      for (let e = 0; e < columns.length; e++) {
        target[e] = values === undefined ? scales[columns[e]] : Math.fround(values[e]) * scales[columns[e]];
      }
    },
  };
}

const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

function floatBits(value: number): number {
  scratchFloat[0] = value;
  return scratchBits[0];
}
