/** Overwrites a parameter or state that is computed in every step instead of learnt. */

import { rowLocal } from "../partition/row-rules.js";
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
  gradient: "it is the end of a step",
  partition: rowLocal(),
});

/** target ← value; ops traced afterwards read the new value. */
export function assign(target: Tensor, value: Tensor): void {
  target.builder.apply(assignOp, [target, value], null);
}
