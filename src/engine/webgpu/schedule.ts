/**
 * Groups instructions that one dispatch can run: a dispatch that waits for another costs about 5 µs however little it computes, and a
 * multiplex repeats the same small instructions for each relation.
 *
 * Instructions of a stage have the same pipeline and do not depend on each other. Large instructions stay alone and in order:
 * together their outputs would take more memory, and the dispatch costs little next to their work.
 *
 * An instruction runs with the first one of its kind after it is ready. It also waits for a later one, if nothing needs its result before.
 */

import type { Stages } from "../plan.js";
import type { Instruction, Tensor } from "../program.js";
import { findDependencies } from "./dependencies.js";
import { MAX_CALLS } from "./shader.js";

interface Grouping {
  /** Instructions with the same key can share a dispatch; undefined: nothing is dispatched for this instruction (an alias). */
  keyOf(instruction: Instruction): string | undefined;
  /** Whether the instruction may be moved forward, next to others of its kind. */
  isMovable(instruction: Instruction): boolean;
  /** Whether all these may wait for others of their kind: what they read then stays in memory longer. */
  canWait(instructions: readonly Instruction[]): boolean;
}

export function groupInstructions(
  instructions: readonly Instruction[],
  { keyOf, isMovable, canWait }: Grouping,
): Stages {
  const { waitsFor } = findDependencies(instructions);
  const stageOf = new Map<Instruction, number>();
  const stages: Instruction[][] = [];
  const byKey = new Map<string, Instruction[]>();
  const placeOf = new Map(instructions.map((instruction, place) => [instruction, place]));
  for (const instruction of instructions) {
    const key = keyOf(instruction);
    if (key !== undefined && isMovable(instruction)) byKey.set(key, [...(byKey.get(key) ?? []), instruction]);
  }
  const isDone = (instruction: Instruction) => stageOf.has(instruction);
  const aliasesOf = findAliases(instructions, keyOf);
  const boundAliases = new Set([...aliasesOf.values()].flat());
  const add = (members: readonly Instruction[]) => {
    for (const member of members) stageOf.set(member, stages.length);
    stages.push([...members]);
    // an alias belongs to its input: it comes at once, so that instructions that read it are ready
    for (const member of members) for (const alias of aliasesOf.get(member) ?? []) add([alias]);
  };
  const othersOf = (instruction: Instruction) => {
    const key = keyOf(instruction);
    const all = key !== undefined && isMovable(instruction) ? (byKey.get(key) ?? []) : [];
    return all.filter((other) => other !== instruction && !isDone(other));
  };
  const isReady = (instruction: Instruction) => (waitsFor.get(instruction) ?? []).every(isDone);
  const visit = (instruction: Instruction): void => {
    if (isDone(instruction)) return;
    // those that were left to wait
    for (const before of waitsFor.get(instruction) ?? []) visit(before);
    const ready = othersOf(instruction).filter(isReady);
    add([instruction, ...ready.slice(0, MAX_CALLS - 1)]);
  };
  const firstUse = firstUses(instructions, waitsFor);
  let waiting: readonly Instruction[] = [];
  for (const [place, instruction] of instructions.entries()) {
    if (boundAliases.has(instruction)) continue;
    const end = firstUse.get(instruction) ?? instructions.length;
    const isInTime = (other: Instruction) => placeOf.get(other)! > place && placeOf.get(other)! < end;
    const later = othersOf(instruction).some((other) => isInTime(other) && !isReady(other));
    waiting = waiting.filter((other) => !isDone(other));
    if (later && !isDone(instruction) && canWait([...waiting, instruction])) waiting = [...waiting, instruction];
    else visit(instruction);
  }
  for (const instruction of waiting) visit(instruction);
  return stages;
}

/** The place of the first instruction that waits for each instruction; aliases do not count. */
function firstUses(
  instructions: readonly Instruction[],
  waitsFor: ReadonlyMap<Instruction, readonly Instruction[]>,
): Map<Instruction, number> {
  const found = new Map<Instruction, number>();
  instructions.forEach((instruction, place) => {
    if (instruction.op.alias) return;
    for (const before of waitsFor.get(instruction) ?? []) if (!found.has(before)) found.set(before, place);
  });
  return found;
}

/** The aliases of the outputs of each instruction. */
function findAliases(
  instructions: readonly Instruction[],
  keyOf: Grouping["keyOf"],
): Map<Instruction, readonly Instruction[]> {
  const producer = new Map<Tensor, Instruction>();
  const found = new Map<Instruction, readonly Instruction[]>();
  for (const instruction of instructions) {
    for (const output of instruction.outputs) producer.set(output, instruction);
    if (keyOf(instruction) !== undefined) continue;
    const from = producer.get(instruction.inputs[0]);
    if (from !== undefined) found.set(from, [...(found.get(from) ?? []), instruction]);
  }
  return found;
}
