/**
 * Gives every tensor a fixed place in memory.
 *
 * Parameters, states, constants and inputs stand one after the other. Values of a segment share an arena: two values
 * may overlap when their lifetimes do not. Lifetimes count instructions; places are chosen largest first, each at the
 * lowest free offset (greedy by size, Pisarchyk and Lee 2020). Segments run one at a time, so their arenas coincide.
 */

import type { Instruction, Program, Tensor } from "./program.js";

/** Cache-line size; also keeps 16-byte vector loads aligned. */
const ALIGNMENT = 64;

export interface Plan {
  /** Byte offset of each tensor's storage from the start of the planned region. */
  readonly offset: ReadonlyMap<Tensor, number>;
  /** Byte offset of each instruction's scratch space. */
  readonly scratchOffset: ReadonlyMap<Instruction, number>;
  readonly totalBytes: number;
}

interface Block {
  bytes: number;
  first: number;
  last: number;
  offset: number;
  tensors: Tensor[];
  scratchOf?: Instruction;
}

export function alignUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Storage of a tensor: 4 bytes an entry, or one bit for masks. */
function tensorBytes(tensor: Tensor): number {
  const entries = tensor.rows * tensor.cols;
  return alignUp(tensor.dtype === "mask" ? Math.ceil(entries / 32) * 4 : entries * 4);
}

export function planMemory(program: Program, scratchBytes: (instruction: Instruction) => number): Plan {
  const offset = new Map<Tensor, number>();
  const scratchOffset = new Map<Instruction, number>();
  let persistentBytes = 0;
  for (const tensor of program.tensors) {
    if (tensor.kind === "value") continue;
    offset.set(tensor, persistentBytes);
    persistentBytes += tensorBytes(tensor);
  }
  let arenaBytes = 0;
  for (const [name, instructions] of program.segments) {
    const blocks = liveBlocks(instructions, program.results.get(name) ?? [], scratchBytes);
    for (const { op, inputs, outputs } of instructions) {
      // another name for storage that lasts; a computed tensor and its alias share a block
      const place = op.alias ? offset.get(inputs[0]) : undefined;
      if (place !== undefined) offset.set(outputs[0], place);
    }
    arenaBytes = Math.max(arenaBytes, placeBlocks(blocks));
    for (const block of blocks) {
      for (const tensor of block.tensors) offset.set(tensor, persistentBytes + block.offset);
      if (block.scratchOf !== undefined) scratchOffset.set(block.scratchOf, persistentBytes + block.offset);
    }
  }
  return { offset, scratchOffset, totalBytes: persistentBytes + arenaBytes };
}

/** One block per storage, with the instructions between which it is in use. */
function liveBlocks(
  instructions: readonly Instruction[],
  results: readonly Tensor[],
  scratchBytes: (instruction: Instruction) => number,
): Block[] {
  const lastUse = lastUses(instructions, results);
  const blockOf = new Map<Tensor, Block>();
  const blocks: Block[] = [];
  instructions.forEach((instruction, i) => {
    const { op, inputs, outputs } = instruction;
    // an alias of what is not computed here is no storage of its own
    if (op.alias && !blockOf.has(inputs[0])) return;
    outputs.forEach((output, k) => {
      const heir = k === 0 ? inheritedInput(instruction, i, blockOf, lastUse) : undefined;
      const end = lastUse.get(output) ?? i;
      if (heir !== undefined) {
        heir.tensors.push(output);
        heir.last = Math.max(heir.last, end);
        blockOf.set(output, heir);
        return;
      }
      const block: Block = { bytes: tensorBytes(output), first: i, last: end, offset: 0, tensors: [output] };
      blocks.push(block);
      blockOf.set(output, block);
    });
    const bytes = scratchBytes(instruction);
    if (bytes > 0) {
      blocks.push({ bytes: alignUp(bytes), first: i, last: i, offset: 0, tensors: [], scratchOf: instruction });
    }
  });
  return blocks;
}

/** The last instruction that reads each tensor; results live past the end. */
function lastUses(instructions: readonly Instruction[], results: readonly Tensor[]): Map<Tensor, number> {
  const lastUse = new Map<Tensor, number>();
  instructions.forEach((instruction, i) => {
    for (const input of instruction.inputs) lastUse.set(input, i);
  });
  for (const result of results) lastUse.set(result, instructions.length);
  return lastUse;
}

/** The block that output 0 takes over: an alias always, an in-place op when nobody reads that storage afterwards. */
function inheritedInput(
  instruction: Instruction,
  index: number,
  blockOf: ReadonlyMap<Tensor, Block>,
  lastUse: ReadonlyMap<Tensor, number>,
): Block | undefined {
  const { op, inputs, outputs } = instruction;
  if (op.alias) return blockOf.get(inputs[0]);
  if (op.inPlace === undefined) return undefined;
  const input = inputs[op.inPlace];
  const block = blockOf.get(input);
  if (block === undefined || block.bytes !== tensorBytes(outputs[0])) return undefined;
  const stillRead = block.tensors.some((tensor) => (lastUse.get(tensor) ?? 0) > index);
  const readTwice = inputs.some((other, k) => k !== op.inPlace && blockOf.get(other) === block);
  return stillRead || readTwice ? undefined : block;
}

/** Sets each block's offset; returns the bytes needed for all. */
function placeBlocks(blocks: readonly Block[]): number {
  const order = [...blocks].sort((a, b) => b.bytes - a.bytes || a.first - b.first);
  const placed: Block[] = [];
  let total = 0;
  for (const block of order) {
    const rivals = placed.filter((other) => other.first <= block.last && block.first <= other.last);
    let offset = 0;
    for (const rival of rivals) {
      if (offset + block.bytes <= rival.offset) break;
      offset = Math.max(offset, rival.offset + rival.bytes);
    }
    block.offset = offset;
    total = Math.max(total, offset + block.bytes);
    const place = placed.findIndex((other) => other.offset > offset);
    placed.splice(place === -1 ? placed.length : place, 0, block);
  }
  return total;
}
