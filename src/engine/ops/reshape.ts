/** The same entries in another shape; nothing is copied. Gradient: the reverse reshape. */

import { reshapedRows } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

interface Attributes {
  readonly rows: number;
  readonly cols: number;
}

export const reshapeOp = defineOp<Attributes>({
  name: "reshape",
  alias: true,
  outputs([x], { rows, cols }) {
    requireShape(rows * cols === x.rows * x.cols, "reshape", [x]);
    return [{ rows, cols, dtype: x.dtype }];
  },
  reference([x], [y]) {
    y.data.set(x.data);
  },
  gradient({ inputs: [x], gradients: [g] }) {
    return g === undefined ? [undefined] : [reshape(g, x.rows, x.cols)];
  },
  partition: reshapedRows(),
});

/** The same entries, row by row, in another shape; nothing is copied. */
export function reshape(x: Tensor, rows: number, cols: number): Tensor {
  if (x.rows === rows && x.cols === cols) return x;
  return x.builder.apply(reshapeOp, [x], { rows, cols })[0];
}
