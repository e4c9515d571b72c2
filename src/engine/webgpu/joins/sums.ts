/**
 * Sums of many tensors: chains of `add` without a factor, ((a + b) + c) + …, become one instruction that reads each summand once. The
 * order of the additions stays, so the bits do too.
 *
 * All summands are in memory until the sum, so chains of large tensors are left as they are.
 */

import { addOp } from "../../ops/add.js";
import { defineOp, type Instruction, type Tensor } from "../../program.js";

export const sumOp = defineOp<{ readonly count: number }>({
  name: "sum",
  outputs: ([x]) => [{ rows: x.rows, cols: x.cols }],
  reference(inputs, [y]) {
    y.data.set(inputs[0].data);
    for (const { data } of inputs.slice(1)) for (let i = 0; i < data.length; i++) y.data[i] += data[i];
  },
  gradient: "it is made after differentiation",
  encode: ({ count }) => [{ int: count }],
});

/** The instructions with sums in place of chains; `isSmall`: whether all summands may be in memory at the same time. */
export function joinSums(
  instructions: readonly Instruction[],
  results: readonly Tensor[],
  isSmall: (tensor: Tensor) => boolean,
): readonly Instruction[] {
  const numReads = new Map<Tensor, number>();
  const count = (tensor: Tensor) => numReads.set(tensor, (numReads.get(tensor) ?? 0) + 1);
  for (const { inputs } of instructions) inputs.forEach(count);
  // a result is read after the segment
  results.forEach(count);

  const isPlainAdd = ({ op, outputs, attributes }: Instruction) =>
    op.name === addOp.name && (attributes as { factor: number }).factor === 1 && isSmall(outputs[0]);
  /** Summands of each chain that a later `add` may continue, by the tensor of its sum so far. */
  const chains = new Map<Tensor, { readonly summands: readonly Tensor[]; readonly last: Instruction }>();
  const replaced = new Map<Instruction, Instruction | undefined>();
  for (const instruction of instructions) {
    if (!isPlainAdd(instruction)) continue;
    const [first, second] = instruction.inputs;
    const chain = numReads.get(first) === 1 ? chains.get(first) : undefined;
    const summands = chain === undefined ? [first, second] : [...chain.summands, second];
    if (chain !== undefined) replaced.set(chain.last, undefined);
    const [sum] = instruction.outputs;
    chains.set(sum, { summands, last: instruction });
    if (summands.length > 2) {
      const attributes = { count: summands.length };
      replaced.set(instruction, { op: sumOp as Instruction["op"], inputs: summands, outputs: [sum], attributes });
    }
  }
  return instructions.flatMap((instruction) => {
    if (!replaced.has(instruction)) return [instruction];
    return replaced.get(instruction) ?? [];
  });
}
