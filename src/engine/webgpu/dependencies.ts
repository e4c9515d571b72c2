/** What the instructions of a segment wait for. */

import type { Instruction, Tensor } from "../program.js";

export interface Dependencies {
  /** The instructions that must run before each instruction: those that write what it reads, and those that read what it overwrites. */
  readonly waitsFor: ReadonlyMap<Instruction, readonly Instruction[]>;
  /** The tensor that has the storage of a tensor: another one for aliases. */
  ownerOf(tensor: Tensor): Tensor;
}

export function findDependencies(instructions: readonly Instruction[]): Dependencies {
  const owner = new Map<Tensor, Tensor>();
  const ownerOf = (tensor: Tensor) => owner.get(tensor) ?? tensor;
  const writer = new Map<Tensor, Instruction>();
  const readers = new Map<Tensor, Instruction[]>();
  const waitsFor = new Map<Instruction, readonly Instruction[]>();
  for (const instruction of instructions) {
    const { op, inputs, outputs } = instruction;
    const before = new Set<Instruction>();
    const waitForWriter = (tensor: Tensor) => {
      const last = writer.get(tensor);
      if (last !== undefined) before.add(last);
    };
    inputs.forEach((input, k) => {
      const tensor = ownerOf(input);
      waitForWriter(tensor);
      if (op.mutates?.includes(k)) {
        for (const reader of readers.get(tensor) ?? []) before.add(reader);
        writer.set(tensor, instruction);
        readers.set(tensor, []);
      } else {
        readers.set(tensor, [...(readers.get(tensor) ?? []), instruction]);
      }
    });
    for (const output of outputs) {
      if (op.alias) owner.set(output, ownerOf(inputs[0]));
      writer.set(output, instruction);
    }
    before.delete(instruction);
    waitsFor.set(instruction, [...before]);
  }
  return { waitsFor, ownerOf };
}
