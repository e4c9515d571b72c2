/** The same entries, through which no gradient flows; nothing is copied. */

import { defineOp, type Tensor } from "../program.js";

export const stopGradientOp = defineOp<null>({
  name: "stopGradient",
  alias: true,
  outputs: ([x]) => [{ rows: x.rows, cols: x.cols, dtype: x.dtype }],
  reference([x], [y]) {
    y.data.set(x.data);
  },
  gradient: () => [undefined],
});

/** The same entries, taken for constants by gradients: none flows through. */
export function stopGradient(x: Tensor): Tensor {
  return x.builder.apply(stopGradientOp, [x], null)[0];
}
