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
import { alignUp, type Plan, planMemory, tensorBytes } from "../plan.js";
import type { Instruction, Op, Program, Tensor } from "../program.js";
import { FAR_ROWS } from "../sparse.js";
import { HEADER, HeaderWriter, PAGE, type Placed, type StoredArray } from "./header-writer.js";
import { allocateMemory, instantiate, type KernelExports } from "./variant.js";

/** Size limit of 32-bit WebAssembly memory. */
export const MAX_BYTES = 65536 * PAGE;
/** Bytes after the last tensor that a vector load at its end may touch. */
const SLACK = 256;
/** prepare, run, finish (assembly/kernel.ts). */
const PHASES = [0, 1, 2];
const PHASES_OF_PART = { run: [0, 1], finish: [2] };

/** Byte offsets of the control words. */
export const CONTROL = {
  barrier: PAGE,
  job: PAGE + 64,
  steps: PAGE + 68,
  count: PAGE + 72,
  stop: PAGE + 76,
};

/** What is needed of an instruction when it is replayed: not its attributes, which hold the matrices. */
export interface ReplayedInstruction extends Pick<Instruction, "inputs" | "outputs"> {
  readonly op: Pick<Op, "name" | "host">;
}

function withoutAttributes({ op: { name, host }, inputs, outputs }: Instruction): ReplayedInstruction {
  return { op: { name, host }, inputs, outputs };
}

/** Steps that follow each other, and the instruction that the host runs after them, if there is one. */
interface Stretch {
  firstStep: number;
  numSteps: number;
  host?: ReplayedInstruction;
}

/** The steps of a segment. */
export interface Segment {
  readonly stretches: readonly Stretch[];
  /** Each instruction that runs, with its first step and number of steps; 0 steps if the host runs it. */
  readonly instructions: readonly { instruction: ReplayedInstruction; firstStep: number; numSteps: number }[];
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

/** Computes the layout; `module` is the unshared binary of the variant that will run the program. */
export function layOut(program: Program, module: WebAssembly.Module): Layout {
  // the kernels are instantiated twice: now for their limit of far rows, later for blocks and scratch
  const { farRows } = instantiate(module, allocateMemory({ initial: 2, maximum: 65536 }));
  if (farRows() !== FAR_ROWS) throw new InternalError(`${farRows()} far rows in the kernels; expected ${FAR_ROWS}`);
  const writer = new HeaderWriter(farRows());
  const placed: Placed[] = [];
  const placedOf = new Map<Instruction, Placed>();
  for (const instruction of [...program.segments.values()].flat()) {
    if (instruction.op.alias || instruction.op.host) continue;
    const made = writer.instruction(instruction);
    placed.push(made);
    placedOf.set(instruction, made);
  }
  const numArgumentWords = writer.words.length;

  // a memory that holds only the header, for calls of blocksOf and scratchOf
  const pages = Math.ceil((HEADER + numArgumentWords * 4) / PAGE) + 1;
  const memory = allocateMemory({ initial: pages, maximum: 65536 });
  new Uint32Array(memory.buffer, HEADER).set(writer.words);
  const kernels = instantiate(module, memory);
  const scratch = new Map(placed.map((p) => [p.instruction, ownScratch(p, kernels.scratchOf(p.kernel, p.args) >>> 0)]));
  const plan = planMemory(program, { scratchBytes: (instruction) => scratch.get(instruction) ?? 0 });

  const segments = new Map<string, Segment>();
  for (const [name, list] of program.segments) {
    const instructions: { instruction: ReplayedInstruction; firstStep: number; numSteps: number }[] = [];
    let stretch: Stretch = { firstStep: writer.address(), numSteps: 0 };
    const stretches = [stretch];
    for (const instruction of list) {
      const firstStep = writer.address();
      const found = placedOf.get(instruction);
      if (found === undefined && instruction.op.host === undefined) continue;
      const numSteps = found === undefined ? 0 : writeSteps(writer.words, found, kernels);
      const replayed = withoutAttributes(instruction);
      instructions.push({ instruction: replayed, firstStep, numSteps });
      stretch.numSteps += numSteps;
      if (instruction.op.host === undefined) continue;
      stretch.host = replayed;
      stretch = { firstStep, numSteps: 0 };
      stretches.push(stretch);
    }
    segments.set(name, { stretches, instructions });
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
    // modulo 2³², as the kernels compute: the address of a row that is not stored may be negative
    for (const { word, tensor, shift } of tensorWords) header[word] = end + offsetOf(plan, tensor) + shift;
    if (scratchWord !== undefined) header[scratchWord] = end + (plan.scratchOffset.get(instruction) ?? 0);
  }
  return { header, arrays, segments, plan, planBase: end, totalBytes: total(fits) };
}

/** Bytes of scratch space that the instruction needs besides its tensors. */
function ownScratch({ part, instruction }: Placed, bytes: number): number {
  if (part?.scratch === undefined) return bytes;
  const { tensor, offset } = part.scratch;
  if (part.phase === "run" && offset + bytes > tensorBytes(tensor))
    throw new InternalError(`${instruction.op.name}: ${bytes} bytes of scratch do not fit ${tensorBytes(tensor)}`);
  return 0;
}

/** Appends the steps of an instruction (assembly/replay.ts); returns their number. */
function writeSteps(words: number[], { kernel, args, part, instruction }: Placed, kernels: KernelExports): number {
  let steps = 0;
  for (const phase of part === undefined ? PHASES : PHASES_OF_PART[part.phase]) {
    const all = kernels.blocksOf(kernel, phase, args);
    const { first, end, count } = part?.chunks ?? { first: 0, end: 1, count: 1 };
    if (all % count !== 0) throw new InternalError(`${instruction.op.name}: ${all} blocks, but ${count} chunks`);
    const perChunk = all / count;
    if (end === first || all === 0) continue;
    words.push(kernel, phase, (end - first) * perChunk, args, 0, first * perChunk);
    steps++;
  }
  return steps;
}

export function offsetOf(plan: Pick<Plan, "offset">, tensor: Tensor): number {
  const offset = plan.offset.get(tensor);
  if (offset === undefined) throw new InternalError(`tensor ${tensor.name ?? tensor.id} has no place in memory`);
  return offset;
}
