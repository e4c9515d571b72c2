/** Overwrites a parameter or state with a value: the end of a step, for what is computed anew and not learnt. */

import { defineOp, requireShape, type Tensor } from "../program.js";

export const assignOp = defineOp<null>({
  name: "assign",
  mutates: [0],
  outputs([target, value]) {
    requireShape(target.rows === value.rows && target.cols === value.cols, "assign", [target, value]);
    return [];
  },
  reference([target, value]) {
    target.data.set(value.data);
  },
  gradient: "it is the end of an epoch",
});

/** target ← value; what is traced afterwards reads the new value. */
export function assign(target: Tensor, value: Tensor): void {
  target.builder.apply(assignOp, [target, value], null);
}
