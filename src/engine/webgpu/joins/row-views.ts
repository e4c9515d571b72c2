/**
 * Columns of a single row lie next to each other, so `sliceColumns` needs no copy of them: its result is an alias that begins inside the
 * storage of the row.
 */

import { sliceColumnsOp } from "../../ops/index.js";
import { defineOp, type Instruction, type Tensor } from "../../program.js";
import { findDependencies } from "../dependencies.js";

interface Attributes {
  /** First entry; a multiple of four, so that vector loads stay possible. */
  readonly start: number;
}

const rowViewOp = defineOp<Attributes>({
  name: "rowView",
  alias: true,
  outputs: ([x], { start }) => [{ rows: 1, cols: x.cols - start }],
  reference([x], [y], { start }) {
    y.data.set(x.data.subarray(start, start + y.cols));
  },
  gradient: "it is made after differentiation",
});

/** The instructions with aliases in place of slices of computed rows. */
export function viewRows(instructions: readonly Instruction[]): readonly Instruction[] {
  const { ownerOf } = findDependencies(instructions);
  return instructions.map((instruction) => {
    const { op, inputs, outputs } = instruction;
    const attributes = instruction.attributes as Attributes;
    const isView =
      op.name === sliceColumnsOp.name &&
      inputs[0].rows === 1 &&
      attributes.start % 4 === 0 &&
      outputs[0].dtype === "float" &&
      // a view of a parameter or state would show values that are written later
      ownerOf(inputs[0]).kind === "value";
    return isView ? { ...instruction, op: rowViewOp as Instruction["op"] } : instruction;
  });
}

/** The entries before the first one of each alias that does not begin where its storage does. */
export function findStarts(instructions: Iterable<Instruction>): Map<Tensor, number> {
  const starts = new Map<Tensor, number>();
  for (const { op, inputs, outputs, attributes } of instructions) {
    if (!op.alias) continue;
    const own = op.name === rowViewOp.name ? (attributes as Attributes).start : 0;
    const start = own + (starts.get(inputs[0]) ?? 0);
    if (start > 0) starts.set(outputs[0], start);
  }
  return starts;
}
