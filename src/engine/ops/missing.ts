/** The mark of an index tensor for "no row", and the op that tells where it stands. */

import { defineOp, type Tensor } from "../program.js";

/** No row: reads give zeros, gradients skip it. */
export const MISSING = 0xffffffff;

/** 1 where an index is given, 0 where it is MISSING: a factor for losses of padded batches. */
export const presentOp = defineOp<null>({
  name: "present",
  outputs: ([index]) => [{ rows: index.rows, cols: index.cols }],
  reference([index], [y]) {
    for (let i = 0; i < y.data.length; i++) y.data[i] = index.data[i] === MISSING ? 0 : 1;
  },
  gradient: "an index has none",
});

export function present(index: Tensor): Tensor {
  return index.builder.apply(presentOp, [index], null)[0];
}
