/** The entry of an index tensor that means "no row", and the op that detects it. */

import { defineOp, type Tensor } from "../program.js";

/** No row: reading it gives zeros, and gradients skip it. */
export const MISSING = 0xffffffff;

/** 0 where an index is MISSING, otherwise 1: a factor for losses of padded batches. */
export const presentOp = defineOp<null>({
  name: "present",
  outputs: ([index]) => [{ rows: index.rows, cols: index.cols }],
  reference([index], [y]) {
    for (let i = 0; i < y.data.length; i++) y.data[i] = index.data[i] === MISSING ? 0 : 1;
  },
  gradient: "an index has none",
});

/** 0 where the index is MISSING, otherwise 1; of the index's shape. */
export function present(index: Tensor): Tensor {
  return index.builder.apply(presentOp, [index], null)[0];
}
