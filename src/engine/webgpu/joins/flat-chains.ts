/**
 * Joins flat instructions that follow each other (flat-chain.ts): a chain needs one dispatch, and its results go through memory only if
 * other instructions read them.
 *
 * A chain runs where its first instruction was, so what its operands need moves forward. Chains of large tensors take only operands that
 * are there already: otherwise more of them would be in memory at the same time.
 */

import { appendAll } from "../../../numeric/append-all.js";
import type { Instruction, Tensor } from "../../program.js";
import { findDependencies } from "../dependencies.js";
import { sizeOf } from "../kernel.js";
import { isFirstStep, isSingle, isStep, MAX_STEPS, MAX_STORED, makeChain, type Step } from "./flat-chain.js";

/** The instructions with chains in place of flat ones. */
export function joinFlat(
  instructions: readonly Instruction[],
  results: readonly Tensor[],
  isSmall: (tensor: Tensor) => boolean,
): readonly Instruction[] {
  return new FlatJoiner(instructions, results, isSmall).join();
}

class FlatJoiner {
  readonly #instructions: readonly Instruction[];
  readonly #isSmall: (tensor: Tensor) => boolean;
  readonly #waitsFor: ReadonlyMap<Instruction, readonly Instruction[]>;
  readonly #ownerOf: (tensor: Tensor) => Tensor;
  readonly #place = new Map<Instruction, number>();
  /** The instructions that read a tensor or an alias of it. */
  readonly #readers = new Map<Tensor, Instruction[]>();
  readonly #results: ReadonlySet<Tensor>;
  readonly #aliasOf = new Map<Tensor, Instruction>();
  /** The chain of each flat instruction. */
  readonly #chains = new Map<Instruction, Step[]>();

  constructor(instructions: readonly Instruction[], results: readonly Tensor[], isSmall: (tensor: Tensor) => boolean) {
    this.#instructions = instructions;
    this.#isSmall = isSmall;
    const { waitsFor, ownerOf } = findDependencies(instructions);
    this.#waitsFor = waitsFor;
    this.#ownerOf = ownerOf;
    this.#results = new Set(results.map(ownerOf));
    instructions.forEach((instruction, k) => {
      this.#place.set(instruction, k);
      if (instruction.op.alias) {
        this.#aliasOf.set(instruction.outputs[0], instruction);
        return;
      }
      for (const owner of new Set(instruction.inputs.map(ownerOf))) {
        const known = this.#readers.get(owner);
        if (known === undefined) this.#readers.set(owner, [instruction]);
        else known.push(instruction);
      }
    });
  }

  join(): readonly Instruction[] {
    for (const instruction of this.#instructions) {
      if (!isFirstStep(instruction) || this.#chains.has(instruction)) continue;
      const chain: Step[] = [];
      let next: Step | undefined = { instruction, valueAt: 0 };
      while (next !== undefined) {
        chain.push(next);
        this.#chains.set(next.instruction, chain);
        next = this.#nextStep(chain);
      }
    }
    return this.#inOrder();
  }

  /** The first instruction that can continue a chain. */
  #nextStep(chain: readonly Step[]): Step | undefined {
    if (chain.length === MAX_STEPS) return undefined;
    const results = chain[chain.length - 1].instruction.outputs;
    const [value] = results;
    for (const instruction of this.#readers.get(value) ?? []) {
      if (this.#chains.has(instruction)) continue;
      const { inputs } = instruction;
      // no mask of the last step either: it is not complete before the chain ends
      const places = [...inputs.keys()].filter((k) => results.includes(this.#ownerOf(inputs[k])));
      const step = { instruction, valueAt: places[0] };
      // a slice of a row (row-views.ts) has fewer entries than the value
      const isWhole = sizeOf(inputs[step.valueAt]) === sizeOf(value);
      if (places.length > 1 || !isWhole || !isStep(instruction, step.valueAt)) continue;
      if (isSingle(instruction) && chain.some((other) => isSingle(other.instruction))) continue;
      if (this.#storedBy([...chain, step]).length > MAX_STORED || !this.#canJoin(chain, instruction)) continue;
      return step;
    }
    return undefined;
  }

  /** Whether an instruction can run together with a chain whose last result it reads. */
  #canJoin(chain: readonly Step[], instruction: Instruction): boolean {
    const [{ instruction: first }] = chain;
    const last = chain[chain.length - 1].instruction;
    const others = (this.#waitsFor.get(instruction) ?? []).filter((other) => other !== last);
    const isEarly = (other: Instruction) => this.#place.get(other)! < this.#place.get(first)!;
    if (!this.#isSmall(instruction.outputs[0]) && !others.every(isEarly)) return false;
    // no way from the chain to the instruction but the value, where a chain counts as one instruction
    const seen = new Set<Instruction>();
    const open = [...others];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#chains.get(at) === chain) return false;
      if (seen.has(at)) continue;
      const members = this.#members(at);
      for (const member of members) seen.add(member);
      for (const member of members) appendAll(open, this.#waitsFor.get(member) ?? []);
    }
    return true;
  }

  #members(instruction: Instruction): readonly Instruction[] {
    return this.#chains.get(instruction)?.map((step) => step.instruction) ?? [instruction];
  }

  /** The results of a chain that others read. */
  #storedBy(chain: readonly Step[]): readonly Tensor[] {
    return chain.flatMap(({ instruction }, k) => {
      const next = chain[k + 1]?.instruction;
      return instruction.outputs.filter((output) => {
        return this.#results.has(output) || (this.#readers.get(output) ?? []).some((reader) => reader !== next);
      });
    });
  }

  /** All instructions, each after those that it waits for, otherwise in the order in which they were. */
  #inOrder(): readonly Instruction[] {
    const chains = new Map([...new Set(this.#chains.values())].map((chain) => [chain, this.#storedBy(chain)]));
    const stored = new Set([...chains.values()].flat());
    const dropped = new Set([...this.#chains.keys()].flatMap(({ outputs }) => outputs.filter((y) => !stored.has(y))));
    // nobody reads an alias of a result that is not stored
    const isAliasOfDropped = ({ op, inputs }: Instruction) =>
      op.alias === true && dropped.has(this.#ownerOf(inputs[0]));
    const done = new Set(this.#instructions.filter(isAliasOfDropped));
    const ordered: Instruction[] = [];
    const add = (instruction: Instruction): void => {
      if (done.has(instruction)) return;
      const members = this.#members(instruction);
      const own = new Set(members.flatMap(({ outputs }) => outputs));
      for (const member of members) done.add(member);
      for (const member of members) {
        for (const before of this.#waitsFor.get(member) ?? []) add(before);
        for (const input of member.inputs) {
          const alias = this.#aliasOf.get(input);
          if (alias !== undefined && !own.has(this.#ownerOf(input))) add(alias);
        }
      }
      const chain = this.#chains.get(instruction);
      ordered.push(chain === undefined ? instruction : makeChain(chain, chains.get(chain) ?? []));
    };
    for (const instruction of this.#instructions) add(instruction);
    return ordered;
  }
}
