/**
 * Groups instructions that one dispatch can run: a dispatch that waits for another costs about 5 µs however little it computes, and a
 * multiplex repeats the same small instructions for each relation.
 *
 * Instructions of a stage have the same pipeline and do not depend on each other. Large instructions stay alone and in order:
 * together their outputs would take more memory, and the dispatch costs little next to their work.
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
}

export function groupInstructions(instructions: readonly Instruction[], { keyOf, isMovable }: Grouping): Stages {
  const { waitsFor } = findDependencies(instructions);
  const stageOf = new Map<Instruction, number>();
  const stages: Instruction[][] = [];
  const byKey = new Map<string, Instruction[]>();
  for (const instruction of instructions) {
    const key = keyOf(instruction);
    if (key !== undefined && isMovable(instruction)) byKey.set(key, [...(byKey.get(key) ?? []), instruction]);
  }
  const isDone = (instruction: Instruction) => stageOf.has(instruction);
  const add = (members: readonly Instruction[]) => {
    for (const member of members) stageOf.set(member, stages.length);
    stages.push([...members]);
    // an alias belongs to its input: it comes at once, so that instructions that read it are ready
    for (const member of members) for (const alias of aliasesOf.get(member) ?? []) add([alias]);
  };
  const aliasesOf = findAliases(instructions, keyOf);
  for (const instruction of instructions) {
    if (isDone(instruction)) continue;
    const key = keyOf(instruction);
    const others = key !== undefined && isMovable(instruction) ? (byKey.get(key) ?? []) : [];
    const ready = others.filter((other) => {
      return other !== instruction && !isDone(other) && (waitsFor.get(other) ?? []).every(isDone);
    });
    add([instruction, ...ready.slice(0, MAX_CALLS - 1)]);
  }
  return stages;
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
