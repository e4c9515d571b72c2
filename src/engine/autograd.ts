/**
 * Reverse-mode differentiation of a traced segment: visits the instructions backwards and appends, for each, the
 * instructions of its gradient. The result is an ordinary, longer program.
 */

import { InternalError } from "../core/errors.js";
import { add } from "./ops/add.js";
import { addRow } from "./ops/add-row.js";
import { scale } from "./ops/scale.js";
import { type BroadcastAttributes, broadcastRowOp } from "./ops/sum-rows.js";
import type { Instruction, Tensor } from "./program.js";

/** ∂loss/∂t for each t of `wanted`; undefined if the loss does not depend on it. `loss` is 1 × 1. */
export function gradients(loss: Tensor, wanted: readonly Tensor[]): (Tensor | undefined)[] {
  const { builder } = loss;
  const instructions = [...builder.tracing];
  const relevant = dependsOn(instructions, wanted);
  const gradient = new Map<Tensor, Tensor>([[loss, builder.constant([1], 1, 1, "float", false)]]);

  for (let i = instructions.length - 1; i >= 0; i--) {
    const instruction = instructions[i];
    const outgoing = instruction.outputs.map((output) => gradient.get(output));
    if (outgoing.every((tensor) => tensor === undefined)) continue;
    if (!instruction.inputs.some((input) => relevant.has(input))) continue;
    const { op, inputs, outputs, attributes } = instruction;
    if (typeof op.gradient === "string") {
      throw new InternalError(`op ${op.name} has no gradient: ${op.gradient}`);
    }
    const incoming = op.gradient({ inputs, outputs, gradients: outgoing, attributes });
    for (let k = 0; k < inputs.length; k++) {
      const part = incoming[k];
      if (part === undefined || !relevant.has(inputs[k])) continue;
      const sum = gradient.get(inputs[k]);
      gradient.set(inputs[k], sum === undefined ? part : sumOf(sum, part));
    }
  }
  return wanted.map((tensor) => gradient.get(tensor));
}

/** a + b. If one is a broadcast row, the row itself is added, so that its copies take no memory. */
function sumOf(a: Tensor, b: Tensor): Tensor {
  for (const [row, other] of [
    [b, a],
    [a, b],
  ]) {
    const producer = row.builder.producer(row);
    if (producer?.op.name !== broadcastRowOp.name) continue;
    const { factor } = producer.attributes as BroadcastAttributes;
    return addRow(other, factor === 1 ? producer.inputs[0] : scale(producer.inputs[0], factor));
  }
  return add(a, b);
}

/** The wanted tensors and everything computed from them. */
function dependsOn(instructions: readonly Instruction[], wanted: readonly Tensor[]): Set<Tensor> {
  const reached = new Set<Tensor>(wanted);
  for (const instruction of instructions) {
    if (instruction.inputs.some((input) => reached.has(input))) {
      for (const output of instruction.outputs) reached.add(output);
    }
  }
  return reached;
}
