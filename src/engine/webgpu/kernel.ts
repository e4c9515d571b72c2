/**
 * What the engine knows of a kernel besides its WGSL source: how it is started and what storage it needs.
 *
 * A kernel is a file `kernels/FOLDER/OP.wgsl`, named as its op. `OP.ts` next to it exports `launch`; without that file one thread computes
 * one value (four floats) of the flat output, or of input 0 if there is no output.
 */

import type { Instruction, KernelArgument, Tensor } from "../program.js";
import type { SparseOperator } from "../sparse.js";

/** One call of an op, as a launch sees it. */
export interface Call extends Pick<Instruction, "inputs" | "outputs"> {
  /** The attributes of the op in the order in which the kernel reads them. */
  readonly arguments: readonly KernelArgument[];
}

/** An entry point of the shader, and the number of workgroups of one call; none: the phase is left out. */
export interface Phase {
  readonly entry: string;
  readonly workgroups: number;
  /** Number of the first workgroup, so that several phases can share the work of one entry. Default: 0. */
  readonly first?: number;
}

/** How a kernel is started. Calls with the same width and the same constants share a pipeline. */
export interface Launch {
  /** Shader files of `kernels/` that are put before the kernel's own, by their names without ending. */
  readonly includes?: readonly string[];
  /** Floats that one load or store moves: 4 or 1. Default: 4; then every offset into a tensor of floats must be a multiple of 4. */
  width?(call: Call): 1 | 4;
  /** Outputs of every call: those that a call does not have are never written. Default: those of the call. */
  readonly numOutputs?: number;
  /** Constants of the source. Default: none. */
  constants?(call: Call): Readonly<Record<string, number>>;
  /** Entries of scratch space, as floats and as words. Default: none. */
  scratch?(call: Call): { readonly floats?: number; readonly words?: number };
  /** The phases in the order in which they run; each sees what the earlier ones wrote. */
  phases(call: Call): readonly Phase[];
}

/** A shader with its launch. */
export interface Kernel {
  readonly source: string;
  readonly launch: Launch;
}

/** Threads of a workgroup of kernels that do not say otherwise: the default limit of WebGPU for one dimension. */
export const THREADS = 256;
/** Values whose chunks a workgroup adds (included/chunkSums.wgsl). */
export const CHUNK_VALUES = 16;

export function sizeOf({ rows, cols }: Pick<Tensor, "rows" | "cols">): number {
  return rows * cols;
}

/** Workgroups for `count` items, so many each. */
export function groupsOf(count: number, perGroup: number): number {
  return Math.ceil(count / perGroup);
}

/** One phase `run` with one thread for each of `count` items. */
export function oneThreadEach(count: number): readonly Phase[] {
  return [{ entry: "run", workgroups: groupsOf(count, THREADS) }];
}

/** The launch of kernels without one of their own: one thread computes four floats of the flat tensor. */
export const FLAT: Launch = {
  phases: ({ inputs, outputs }) => oneThreadEach(groupsOf(sizeOf(outputs[0] ?? inputs[0]), 4)),
};

/** Vector loads if all rows of these tensors begin at multiples of four floats, otherwise scalar loads. */
export function rowWidth(...tensors: readonly Tensor[]): 1 | 4 {
  return tensors.every(({ cols }) => cols % 4 === 0) ? 4 : 1;
}

/** The sparse matrix of a call. */
export function matrixOf(call: Call): SparseOperator {
  return matricesOf(call)[0];
}

/** All sparse matrices of a call. */
export function matricesOf(call: Call): readonly SparseOperator[] {
  return call.arguments.flatMap((argument) => {
    if ("sparse" in argument) return [argument.sparse];
    return "sparseList" in argument ? argument.sparseList : [];
  });
}
