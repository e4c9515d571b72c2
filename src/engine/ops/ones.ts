/** A tensor of ones; the gradient of the loss with respect to itself. */

import { filledRows } from "../partition/row-rules.js";
import { defineOp, type ProgramBuilder, type Tensor } from "../program.js";

interface Attributes {
  readonly rows: number;
  readonly cols: number;
}

export const onesOp = defineOp<Attributes>({
  name: "ones",
  outputs: (_, { rows, cols }) => [{ rows, cols }],
  reference(_, [y]) {
    y.data.fill(1);
  },
  gradient: "it has no input",
  partition: filledRows(),
});

/** A tensor of ones. */
export function ones(builder: ProgramBuilder, rows: number, cols: number): Tensor {
  return builder.apply(onesOp, [], { rows, cols })[0];
}
