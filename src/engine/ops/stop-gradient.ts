/** The same entries without a gradient; nothing is copied. */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, type Tensor } from "../program.js";

export const stopGradientOp = defineOp<null>({
  name: "stopGradient",
  alias: true,
  outputs: ([x]) => [{ rows: x.rows, cols: x.cols, dtype: x.dtype }],
  reference([x], [y]) {
    y.data.set(x.data);
  },
  gradient: () => [undefined],
  partition: rowLocal(),
});

/** X as a constant: gradients do not flow through it. */
export function stopGradient(x: Tensor): Tensor {
  return x.builder.apply(stopGradientOp, [x], null)[0];
}
