/**
 * Gives every tensor a fixed place in memory.
 *
 * Parameters, states, constants and inputs follow each other. Values of a segment share an arena: two values may overlap in
 * memory if their lifetimes, counted in stages, do not. The largest values are placed first, each at the lowest free
 * offset (greedy by size, Pisarchyk and Lee 2020). Segments run one at a time, so they share the same arena. Transient states
 * lie at its beginning; only the values of segments that use one of them come after them.
 */

import type { Instruction, Program, Tensor } from "./program.js";

/** Bytes of a cache line; also keeps 16-byte vector loads aligned. */
const ALIGNMENT = 64;

/** Places of the tensors of a program. */
export interface Plan {
  /** Byte offset of each tensor's storage from the start of the planned region. */
  readonly offset: ReadonlyMap<Tensor, number>;
  /** Byte offset of each instruction's scratch space. */
  readonly scratchOffset: ReadonlyMap<Instruction, number>;
  readonly totalBytes: number;
}

/** Storage of one or several tensors, used by instructions `first` to `last`. */
interface Block {
  bytes: number;
  first: number;
  last: number;
  offset: number;
  tensors: Tensor[];
  scratchOf?: Instruction;
}

/** Rounds up to whole cache lines. */
export function alignUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Bytes of a tensor: 4 per entry, one bit per entry of a mask. */
export function tensorBytes(tensor: Tensor): number {
  const entries = tensor.rows * tensor.cols;
  return alignUp(tensor.dtype === "mask" ? Math.ceil(entries / 32) * 4 : entries * 4);
}

/** Instructions that run at the same time, one group after the other. */
export type Stages = readonly (readonly Instruction[])[];

export interface PlanOptions {
  scratchBytes(instruction: Instruction): number;
  /** Whether the tensor lies in this memory; default: every tensor. */
  holds?(tensor: Tensor): boolean;
  /** Whether an alias begins inside its storage, so that no result takes its place; default: none does. */
  isShifted?(tensor: Tensor): boolean;
  /** Stages of a segment; default: each instruction is a stage of its own. */
  stages?(segment: string): Stages;
}

/** Places all tensors, and the scratch space of each instruction. */
export function planMemory(program: Program, options: PlanOptions): Plan {
  const { holds = () => true, isShifted = () => false } = options;
  const offset = new Map<Tensor, number>();
  const scratchOffset = new Map<Instruction, number>();
  const extent = aliasExtents(program);
  const stored = program.tensors.filter((tensor) => tensor.kind !== "value" && holds(tensor));
  const place = (tensors: readonly Tensor[], first: number) =>
    tensors.reduce((end, tensor) => {
      offset.set(tensor, end);
      return end + Math.max(tensorBytes(tensor), extent.get(tensor) ?? 0);
    }, first);
  const transient = stored.filter(({ isTransient }) => isTransient);
  const persistentBytes = place(
    stored.filter(({ isTransient }) => !isTransient),
    0,
  );
  const transientEnd = place(transient, persistentBytes);
  let totalBytes = transientEnd;
  for (const [name, instructions] of program.segments) {
    const stages = options.stages?.(name) ?? instructions.map((instruction) => [instruction]);
    const results = program.results.get(name) ?? [];
    const blocks = liveBlocks(stages, results, { ...options, holds, isShifted });
    for (const { op, inputs, outputs } of stages.flat()) {
      // an alias of a parameter, state, constant or input; a computed tensor and its alias share a block
      const found = op.alias ? offset.get(inputs[0]) : undefined;
      if (found !== undefined) offset.set(outputs[0], found);
    }
    const used = [...results, ...instructions.flatMap(({ inputs }) => inputs)];
    const usesTransient = used.some((tensor) => transient.includes(tensor));
    const arena = usesTransient ? transientEnd : persistentBytes;
    totalBytes = Math.max(totalBytes, arena + placeBlocks(blocks));
    for (const block of blocks) {
      for (const tensor of block.tensors) offset.set(tensor, arena + block.offset);
      if (block.scratchOf !== undefined) scratchOffset.set(block.scratchOf, arena + block.offset);
    }
  }
  return { offset, scratchOffset, totalBytes };
}

/**
 * Bytes of the largest alias of each parameter, state, constant and input that has aliases. An alias may be longer than its
 * tensor: a partitioned program stores rows of other ranks after the own rows.
 */
function aliasExtents(program: Program): Map<Tensor, number> {
  const extent = new Map<Tensor, number>();
  const storedIn = new Map<Tensor, Tensor>();
  for (const instructions of program.segments.values()) {
    for (const { op, inputs, outputs } of instructions) {
      if (!op.alias) continue;
      const owner = storedIn.get(inputs[0]) ?? inputs[0];
      if (owner.kind === "value") continue;
      storedIn.set(outputs[0], owner);
      extent.set(owner, Math.max(extent.get(owner) ?? 0, tensorBytes(outputs[0])));
    }
  }
  return extent;
}

/** The blocks of a segment with their lifetimes, counted in stages. */
function liveBlocks(
  stages: Stages,
  results: readonly Tensor[],
  { scratchBytes, holds, isShifted }: Required<Pick<PlanOptions, "scratchBytes" | "holds" | "isShifted">>,
): Block[] {
  const lastUse = lastUses(stages, results);
  const blockOf = new Map<Tensor, Block>();
  const blocks: Block[] = [];
  stages.forEach((stage, i) => {
    for (const instruction of stage) {
      const { op, inputs, outputs } = instruction;
      const bytes = scratchBytes(instruction);
      if (bytes > 0) {
        blocks.push({ bytes: alignUp(bytes), first: i, last: i, offset: 0, tensors: [], scratchOf: instruction });
      }
      // an alias of a tensor that is not computed in this segment needs no block
      if (op.alias && !blockOf.has(inputs[0])) continue;
      outputs.forEach((output, k) => {
        if (!holds(output)) return;
        const isReusable = k === 0 && (op.alias || op.inPlace === undefined || !isShifted(inputs[op.inPlace]));
        const reused = isReusable ? inheritedInput(instruction, stages, i, blockOf, lastUse) : undefined;
        const end = lastUse.get(output) ?? i;
        if (reused !== undefined) {
          reused.tensors.push(output);
          reused.bytes = Math.max(reused.bytes, tensorBytes(output));
          reused.last = Math.max(reused.last, end);
          blockOf.set(output, reused);
          return;
        }
        const block: Block = { bytes: tensorBytes(output), first: i, last: end, offset: 0, tensors: [output] };
        blocks.push(block);
        blockOf.set(output, block);
      });
    }
  });
  return blocks;
}

/** The last stage that reads each tensor; results live until after the last stage. */
function lastUses(stages: Stages, results: readonly Tensor[]): Map<Tensor, number> {
  const lastUse = new Map<Tensor, number>();
  stages.forEach((stage, i) => {
    for (const { inputs } of stage) for (const input of inputs) lastUse.set(input, i);
  });
  for (const result of results) lastUse.set(result, stages.length);
  return lastUse;
}

/**
 * The block of an input that output 0 reuses: for an alias always, for an in-place op if nothing else reads it from this stage on.
 */
function inheritedInput(
  instruction: Instruction,
  stages: Stages,
  index: number,
  blockOf: ReadonlyMap<Tensor, Block>,
  lastUse: ReadonlyMap<Tensor, number>,
): Block | undefined {
  const { op, inputs, outputs } = instruction;
  if (op.alias) return blockOf.get(inputs[0]);
  if (op.inPlace === undefined) return undefined;
  const input = inputs[op.inPlace];
  const block = blockOf.get(input);
  if (block === undefined || tensorBytes(input) !== tensorBytes(outputs[0])) return undefined;
  const reads = (other: Tensor) => blockOf.get(other) === block;
  const stillRead = block.tensors.some((tensor) => (lastUse.get(tensor) ?? 0) > index);
  const readTwice = inputs.some((other, k) => k !== op.inPlace && reads(other));
  const readByOthers = stages[index].some((other) => other !== instruction && other.inputs.some(reads));
  return stillRead || readTwice || readByOthers ? undefined : block;
}

/** Sets the offset of each block; returns the bytes needed. */
function placeBlocks(blocks: readonly Block[]): number {
  const order = [...blocks].sort((a, b) => b.bytes - a.bytes || a.first - b.first);
  const placed: Block[] = [];
  let total = 0;
  for (const block of order) {
    const overlapping = placed.filter((other) => other.first <= block.last && block.first <= other.last);
    let offset = 0;
    for (const other of overlapping) {
      if (offset + block.bytes <= other.offset) break;
      offset = Math.max(offset, other.offset + other.bytes);
    }
    block.offset = offset;
    total = Math.max(total, offset + block.bytes);
    const place = placed.findIndex((other) => other.offset > offset);
    placed.splice(place === -1 ? placed.length : place, 0, block);
  }
  return total;
}
