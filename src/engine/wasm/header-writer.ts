/**
 * Writes the header of a program in WebAssembly memory: matrix descriptors and kernel arguments (assembly/kernel.ts). Addresses of
 * arrays and tensors are filled in by layout.ts.
 */

import { InternalError } from "../../core/errors.js";
import { appendAll } from "../../numeric/append-all.js";
import type { Instruction, KernelPart, KernelTensor, Tensor } from "../program.js";
import type { SparseOperator } from "../sparse.js";
import { KERNEL_NAMES } from "./generated/kernel-names.js";

/** Bytes of a page of WebAssembly memory. */
export const PAGE = 65536;
/** Byte offset of the header: after the static data of the kernels and the control words. */
export const HEADER = PAGE + 128;
/** Words of the descriptor of a sparse matrix (assembly/sparse-matrix.ts). */
const DESCRIPTOR_WORDS = 12;

/** Numbers of a sparse matrix, written when the memory is allocated. */
export interface StoredArray {
  readonly length: number;
  readonly float: boolean;
  /** Only saves time: left out if the memory would be too large. */
  readonly optional?: boolean;
  fill(target: Float32Array | Uint32Array): void;
}

/** An instruction whose arguments are written. */
export interface Placed {
  instruction: Instruction;
  kernel: number;
  args: number;
  part?: KernelPart;
  /** Words of the header into which the addresses of tensors are filled, plus `shift` bytes. */
  tensorWords: { readonly word: number; readonly tensor: Tensor; readonly shift: number }[];
  /** The word into which the address of the scratch space is filled. */
  scratchWord?: number;
}

/** Collects the words of the header; addresses of arrays and tensors are filled in later. */
export class HeaderWriter {
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
    const part = op.part?.(inputs, outputs);
    const tensorWords: Placed["tensorWords"] = [];
    const whole = (tensor: Tensor): KernelTensor => ({ tensor, rows: tensor.rows, cols: tensor.cols, firstRow: 0 });
    const writeTensor = ({ tensor, rows, cols, firstRow }: KernelTensor) => {
      if (tensor !== undefined) {
        const rowBytes = tensor.dtype === "mask" ? cols / 8 : cols * 4;
        tensorWords.push({ word: this.words.length, tensor, shift: firstRow === 0 ? 0 : -firstRow * rowBytes });
      }
      this.words.push(0, rows, cols);
    };
    (part?.outputs ?? outputs.map(whole)).forEach(writeTensor);
    for (const argument of encoded) {
      if ("int" in argument) this.words.push(argument.int >>> 0);
      else if ("float" in argument) this.words.push(floatBits(argument.float));
      else if ("sparse" in argument) this.words.push(this.#descriptor(argument.sparse));
      else this.words.push(argument.sparseList.length, this.#list(argument.sparseList));
    }
    const scratchWord = this.words.length;
    this.words.push(0);
    (part?.inputs ?? inputs.map(whole)).forEach(writeTensor);
    if (part?.scratch === undefined) return { instruction, kernel, args, part, tensorWords, scratchWord };
    tensorWords.push({ word: scratchWord, tensor: part.scratch.tensor, shift: part.scratch.offset });
    return { instruction, kernel, args, part, tensorWords };
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
    const { numColumns, numEntries } = matrix.whole ?? { numColumns: matrix.numColumns, numEntries: columns.length };
    if (right !== undefined && numColumns >= this.#farRows) this.#array(matrix, foldedValues(matrix, right), first + 9);
    this.words[first + 5] = floatBits(matrix.diagonal);
    this.words[first + 6] = matrix.numRows;
    this.words[first + 7] = matrix.numColumns;
    this.words[first + 8] = matrix.columns.length;
    this.words[first + 10] = numColumns;
    this.words[first + 11] = numEntries;
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
